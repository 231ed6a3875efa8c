"""The demo's page in a browser, where the system has Chromium: what the models of it may miss."""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from subprocess import PIPE

import pytest
from playwright.async_api import Locator, Page, async_playwright, expect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE_MS = 120_000


@asynccontextmanager
async def demo() -> AsyncIterator[str]:
    """Run the demo as a visitor does, and return the address that it prints."""
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "demo", "--port", "0", stdout=PIPE
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


def button(page: Page, label: str) -> Locator:
    return page.locator("main button:enabled").filter(has_text=label).first


def picture(page: Page) -> Locator:
    """Return the picture of the table, which says in words what lies there."""
    return page.locator("main").get_by_alt_text(re.compile("Stock")).first


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the PATH: the demo's page is not driven")
async def test_a_visitor() -> None:
    """Ann takes a card and sees the table change; Fay, in the same window, is answered in German."""
    async with demo() as address, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 1280, "height": 900}, locale="en-GB")
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        await page.goto(address)
        await button(page, "My hand").click()
        await button(page, "Take").wait_for()
        await expect(picture(page)).to_have_attribute("src", re.compile("^blob:"))
        before = await picture(page).get_attribute("src") or ""
        await button(page, "Take").click()
        await expect(button(page, "Discard")).to_be_visible()
        await expect(picture(page)).not_to_have_attribute("src", before)

        await page.locator("#viewer-picker").select_option(label="Fay")
        await button(page, "My hand").click()
        await expect(page.get_by_text("Du sitzt nicht an diesem Tisch").first).to_be_visible()
        await browser.close()
