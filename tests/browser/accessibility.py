"""axe-core on a page as it stands: for every test of a page."""

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

# WCAG 2.2, levels A and AA, and what axe-core counts as good practice.
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_OPTIONS = {"runOnly": {"type": "tag", "values": _TAGS}, "resultTypes": ["violations"]}
# Cards on their way lie above others.
_STANDS_STILL = """() => Promise.allSettled(
    document.getAnimations().filter((one) => one.effect.getTiming().iterations !== Infinity).map((one) => one.finished)
)"""


def assert_accessible(page: Page, *, except_for: tuple[str, ...] = ()) -> None:
    """Fails naming each rule that the page breaks, why it matters, and the elements that break it.

    `except_for` names rules that do not fit this page; whoever uses it says why beside it.
    """
    page.wait_for_load_state()  # a click ends when the next page begins: its style sheets may still be on their way
    page.evaluate(_STANDS_STILL)
    found = Axe().run(page, options=_OPTIONS).response["violations"]
    broken = [
        f"{violation['id']} ({violation['impact']}): {violation['help']}\n"
        + "\n".join(f"    {node['html']}\n      {node['failureSummary']}" for node in violation["nodes"])
        for violation in found
        if violation["id"] not in except_for
    ]
    assert not broken, f"{page.url}\n" + "\n".join(broken)
