"""Tests of the demo's page in Chromium, if the system has it.

Matches are played on a phone's screen, 400 pixels wide, and every state that is shown is measured there.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from subprocess import PIPE
from time import monotonic
from typing import Any

import pytest
from playwright.async_api import Error, Locator, Page, async_playwright, expect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE_MS = 120_000
SOON_MS = 2_000
PHONE = 400
MATCH_SECONDS = 900
BANNER_SECONDS = 6
ACTIONS = r"^(?!How).*\b(Play|Yes|Take|black|from|to)\b"
MOST_LINES = 5

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on the PATH: the page is not driven"
)


@asynccontextmanager
async def run_demo(game: str) -> AsyncIterator[str]:
    """Run the demo as a visitor does, and return the address that it prints."""
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "demo", "--game", game, "--port", "0", stdout=PIPE
    )
    assert running.stdout is not None
    try:
        said = ""
        while not (found := re.search(r"http://\S+", said)):
            line = await running.stdout.readline()
            assert line, said
            said += line.decode()
        yield found[0]
    finally:
        running.terminate()
        await running.communicate()


@asynccontextmanager
async def open_page(game: str, width: int) -> AsyncIterator[Page]:
    async with run_demo(game) as address, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": width, "height": 900}, locale="en-GB")
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        await page.goto(address)
        yield page
        await browser.close()


def enabled_button(page: Page, label: str) -> Locator:
    return page.locator("main button:enabled").filter(has_text=label).first


def table_picture(page: Page) -> Locator:
    """Return the alt text of the table's picture."""
    return page.locator("main").get_by_alt_text(re.compile("Stock")).first


async def test_a_visitor_can_play_in_the_demo_page() -> None:
    """Ann takes a card and sees the table change. Fay is answered in German in the same window."""
    async with open_page("toad", 1280) as page:
        await enabled_button(page, "🔳").wait_for()
        await expect(table_picture(page)).to_have_attribute("src", re.compile("^blob:"))
        before = await table_picture(page).get_attribute("src") or ""
        await enabled_button(page, "🔳").click()
        await expect(page.get_by_text("Discard a card and end your turn").first).to_be_visible()
        await expect(table_picture(page)).not_to_have_attribute("src", before)

        await page.locator("#viewer-picker").select_option(label="Fay")
        await enabled_button(page, "My hand").click()
        await expect(page.get_by_text("Du sitzt nicht an diesem Tisch").first).to_be_visible()


MEASURED = """() => {
  const box = (each) => each.getBoundingClientRect();
  const isTold = (line) => line.trim() && !/^(⏳|🔏)/u.test(line);
  const screen = document.querySelector("#channel-timeline").clientHeight;
  const named = (each) => (each.querySelector(".button-label") ?? each).innerText.trim();
  return [...document.querySelectorAll("article.channel-message")].flatMap((message) => {
    const picture = message.querySelector("img.gallery-image");
    if (!picture?.naturalWidth) return [];
    const open = [...message.querySelectorAll(".component-row :is(button, select)")].filter(
      (each) => !each.disabled && each.ariaDisabled !== 'true');
    const below = [...message.querySelectorAll(".text-display")].find(
      (each) => picture.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING);
    return [{
      screen,
      isPrivate: Boolean(message.querySelector(".message-ephemeral-note")),
      shown: `${message.querySelector("h3")?.innerText} ${picture.alt}`,
      lines: (below?.innerText ?? "").split("\\n").filter(isTold),
      labels: open.map(named),
      needs: open.length ? box(open[0]).bottom - box(picture).top : 0,
    }];
  });
}"""
"""A message's picture, and the space that the picture and its first button need."""

SHOWN = """() => [...document.querySelectorAll("article.channel-message")].map((message) => [
  message.querySelector("h3")?.innerText, message.querySelector("img.gallery-image")?.alt,
  ...[...message.querySelectorAll(".component-row button")].map((each) => each.innerText),
]).join()"""


class Phone:
    """A page whose buttons are pressed, and whose every state must fit the screen."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed_at = monotonic()

    async def look(self) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = await self.page.evaluate(MEASURED)
        for message in messages:
            if not _is_end(message):
                assert message["needs"] <= message["screen"], message
                assert len(message["lines"]) <= MOST_LINES, message
        return messages

    async def press(self, label: str, patience_ms: int = PATIENCE_MS) -> None:
        """Press the newest button of a name, and wait until anything in the channel is another."""
        before, self.pressed_at = await self.page.evaluate(SHOWN), monotonic()
        named = self.page.locator("main .component-row button:not([aria-disabled=true]):enabled")
        await named.filter(has_text=label).last.click(timeout=patience_ms)
        changed = f"(before) => ({SHOWN})() !== before"
        await self.page.wait_for_function(changed, arg=before, timeout=patience_ms)

    async def command(self, name: str, **options: str) -> None:
        """Send a slash command by typing it on the page."""
        await self.page.locator("#channel-composer-input").fill(f"/{name}")
        await self.page.locator(".command-popup").get_by_text(name).first.wait_for()
        await self.page.keyboard.press("Enter")
        for option, value in options.items():
            chosen = self.page.locator(f".command-suggestion[data-value={option}]")
            if not await chosen.is_visible():
                await self.page.locator(".command-ghost").click()
            await chosen.click()
            await self.page.keyboard.type(value)
        await self.page.locator("#send-message").click()

    async def command_until_shown(self, name: str, label: str) -> None:
        """Send a slash command until a button is shown. A busy page may lose what is typed into it."""
        button = enabled_button(self.page, label)
        for _attempt in range(3):
            await self.command(name)
            with suppress(Error):
                await button.wait_for(timeout=PATIENCE_MS / 4)
                return

    async def play(self, *wanted: str, presses: int | None = None) -> None:
        """Press the suggested buttons, in the hand or at the table, until the match is finished."""
        while presses != 0 and not ((messages := await self.look()) and _is_end(messages[-1])):
            hands = [each for each in messages if each["isPrivate"] and each["labels"]]
            labels = [label for each in (hands or messages)[-1:] for label in each["labels"]]
            found = (label for each in wanted for label in labels if re.search(each, label))
            if label := next(found, None):
                with suppress(Error):  # by then the page shows another state
                    await self.press(label, SOON_MS)
                presses = presses and presses - 1
            else:
                await asyncio.sleep(0.1)


def _is_end(message: dict[str, Any]) -> bool:
    return any(re.search("Rematch|New deal", label) for label in message["labels"])


async def test_a_toad_match_can_be_played_on_a_phone() -> None:
    """Computer players wait while a claim is shown, or until Fay continues. Her hand is in German."""
    async with open_page("solitaire", PHONE) as page, asyncio.timeout(MATCH_SECONDS):
        phone = Phone(page)
        await page.locator("#viewer-picker").select_option(label="Fay")
        await page.get_by_text("Action completed").wait_for()
        await phone.command("toad start", lives="1", frogs="2")
        await phone.press("My hand")
        totals = page.locator("main .component-row button").filter(has_text="🔳")
        first, second = [await totals.nth(place).bounding_box() for place in range(2)]
        assert first is not None
        assert second is not None
        assert first["y"] == second["y"], "two totals fit side by side"
        await phone.press("Tipp")
        await phone.look()
        await phone.press("Ribit!")
        heard = page.locator("main button:enabled").filter(
            has_text=re.compile("Ribit sagen|Go on|Weiter")
        )
        await heard.first.wait_for()
        await phone.look()
        if await enabled_button(page, "Ribit sagen").is_visible():  # she was dealt no toad
            await phone.press("Ribit sagen")
        heard_after = phone.pressed_at
        going_on = page.locator("main button:enabled").filter(has_text=re.compile("Go on|Weiter")).first
        await going_on.wait_for()
        await phone.look()
        await going_on.wait_for(state="detached")
        assert monotonic() - heard_after >= BANNER_SECONDS
        await phone.play("Go on", "🔳", "Zug beenden")


async def test_a_frogger_match_can_be_played_on_a_phone() -> None:
    """Ann plays some turns, then leaves her seat to a computer player, and the match ends at once."""
    async with open_page("frogger", PHONE) as page, asyncio.timeout(MATCH_SECONDS):
        phone = Phone(page)
        for label in ("Hint", "Play"):
            await phone.press(label)
        await phone.play(ACTIONS, "End turn", "My hand", presses=12)
        await phone.command_until_shown("frogger leave", "Leave it to a frog")
        await phone.press("Leave it to a frog")
        await phone.play()


async def test_a_solitaire_deal_can_be_played_on_a_phone() -> None:
    """Ann asks for a hint, makes some moves and gives up."""
    async with open_page("solitaire", PHONE) as page, asyncio.timeout(MATCH_SECONDS):
        phone = Phone(page)
        await phone.press("Hint")
        await phone.play(
            "^(?!Give).* up$", "onto|to column", "Turn until it fits", "Turn the stock", presses=8
        )
        await phone.play("Give up")
