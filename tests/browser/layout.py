"""Measures a screen: overflow, sizes of targets and letters, and the size of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

TOUCH = 44
TEXT = 13
FILLS = 0.95
"""The least part of the free space that a board takes in the one direction or in the other."""

FAULTS = """([touch, text]) => {
  const faults = [];
  const shown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !each.closest('.hidden, [aria-hidden=true], [inert]');
  const called = (each) => `${each.tagName.toLowerCase()}.${[...each.classList].join('.')}`
    + ` “${(each.getAttribute('aria-label') ?? each.textContent).trim().slice(0, 24)}”`;
  const root = document.querySelector('dialog[open]') ?? document.body;
  if (document.documentElement.scrollWidth > innerWidth + 1) {
    faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  }
  const scrolls = (each) => {
    for (let at = each.parentElement; at; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  for (const each of root.querySelectorAll('*')) {
    if (each.closest('svg') || !shown(each)) continue;
    const box = each.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const style = getComputedStyle(each);
    if (!scrolls(each) && (box.left < -1 || box.right > innerWidth + 1)) {
      faults.push(`${called(each)} runs off the side`);
    }
    const words = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (words && parseFloat(style.fontSize) < text) {
      faults.push(`${called(each)} is written in ${style.fontSize}`);
    }
    if (words && style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis'
        && each.scrollWidth > each.clientWidth + 1) {
      faults.push(`${called(each)} is cut`);
    }
    const pressed = each.matches('button, a[href], select, summary, input:not([type=range])');
    const inText = each.matches('a') && style.display === 'inline';
    const radio = each.matches('input[type=radio], input[type=file]');
    if (pressed && !inText && !radio && (box.width < touch - 0.5 || box.height < touch - 0.5)) {
      faults.push(`${called(each)} is ${Math.round(box.width)} × ${Math.round(box.height)} px`);
    }
  }
  return [...new Set(faults)];
}"""

TABLE = """() => {
  const faults = [];
  for (const part of ['.part-board', '.part-hand', '.part-scores', '.table-top']) {
    let found = document.querySelector(part);
    if (found && getComputedStyle(found).display === 'contents') {
      found = found.querySelector('.kaosmos-space');
    }
    if (!found) continue;
    const { left, right, top, bottom } = found.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
      faults.push(`${part} runs off the screen`);
    }
  }
  return faults;
}"""

BOARD = """() => {
  const board = document.querySelector('svg.board');
  if (!board) return null;
  const { width, height } = board.viewBox.baseVal;
  const box = board.getBoundingClientRect();
  const scale = Math.min(box.width / width, box.height / height);
  return {
    x: box.left, y: box.top,
    width: scale * width, height: scale * height,
    free: [box.width, box.height],
    cell: scale * 17.3,
  };
}"""

SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts.push(entry.value);
  }).observe({ type: 'layout-shift', buffered: false });
}"""


def faults(page: Page) -> list[str]:
    """What runs off the screen, and what is too small, on the screen as it is."""
    found: list[str] = page.evaluate(FAULTS, [TOUCH, TEXT])
    table: list[str] = page.evaluate(TABLE)
    return found + table


def board(page: Page) -> dict[str, Any] | None:
    """Where the board is and how large, and the space that it has."""
    found: dict[str, Any] | None = page.evaluate(BOARD)
    return found


def set_text(page: Page, percent: int) -> None:
    """Letters of another size, as in the settings of a browser."""
    page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", f"{percent}%")
