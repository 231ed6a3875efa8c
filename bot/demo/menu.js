// The language of who looks: a menu beside the viewer's, and a header on each click. And times that count down.
"use strict";
{
  const menu = document.getElementById("language");
  const known = [...menu.options].map((option) => option.value);
  const wanted = [sessionStorage.getItem("language"), ...navigator.languages]
    .map((locale) => known.find((each) => locale && each.split("-")[0] === locale.split("-")[0]));
  menu.value = wanted.find(Boolean) ?? known[0];
  menu.addEventListener("change", () => sessionStorage.setItem("language", menu.value));

  const ask = window.fetch;
  window.fetch = (path, how = {}) => ask(path, { ...how, headers: { ...how.headers, "X-Ribit-Locale": menu.value } });

  const relative = /^(now|tomorrow|yesterday)$|^(in|this|next|last) | ago$/;
  const units = [["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const format = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
  setInterval(() => {
    for (const time of document.querySelectorAll("time.discord-timestamp")) {
      if (!relative.test(time.textContent)) continue;
      const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
      const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? units.at(-1);
      const text = format.format(Math.round(seconds / length), unit);
      if (time.textContent !== text) time.textContent = text;
    }
  }, 1000);
}
