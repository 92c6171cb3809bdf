"""One browser for all tests of a process: each test opens windows of its own in it, that share nothing.

They are closed after the test: pages look at the hall again and again, and take the machine from the tests that follow.
"""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 30_000  # for whatever comes in a moment, however busy the machine is


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """Without any window, before the test and after it."""
    yield chromium
    for context in chromium.contexts:
        context.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("no chromium here: apt-get install chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, headless=True, args=ARGUMENTS)
        yield browser
        browser.close()
