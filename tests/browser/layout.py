"""Measures a screen: overflow, sizes of targets and letters, and the size of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

TOUCH = 44
TEXT = 13
ON_BOARD = 9
"""The least size of letters that are drawn on a board: they scale with it."""

FILLS = 0.95
"""The least part of the free space that a board takes in the one direction or in the other."""

FAULTS = """([touch, text, onBoard]) => {
  const faults = [];
  const shown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !each.closest('.hidden, [inert]');
  const called = (each) => `${each.tagName.toLowerCase()}.${[...each.classList].join('.')}`
    + ` “${(each.getAttribute('aria-label') ?? each.textContent).trim().slice(0, 24)}”`;
  const root = document.querySelector('dialog[open]') ?? document.body;
  if (document.documentElement.scrollWidth > innerWidth + 1) {
    faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  }
  const clipped = (each) => getComputedStyle(each).clipPath !== 'none';
  const scrolls = (each) => {
    for (let at = each.parentElement; at; at = at.parentElement) {
      if (clipped(at)) return true;
      const scrolled = at.scrollWidth > at.clientWidth;
      if (scrolled && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  // What a box cuts off, other than words that end in dots or can be scrolled to.
  const isCut = (each, box) => {
    for (let at = each; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) return false;
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') return false;
      if (at === each || style.overflowX === 'visible') continue;
      const outer = at.getBoundingClientRect();
      if (box.left < outer.left - 2 || box.right > outer.right + 2) return true;
      if (box.top < outer.top - 2 || box.bottom > outer.bottom + 2) return true;
    }
    return false;
  };
  // Not what lies over a page on purpose, and not what scrolls below something that stays.
  const isAlone = (each) => {
    for (let at = each; at && at !== root; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (/sticky|fixed/.test(style.position) || at.matches('.kaosmos-reveal')) return false;
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) return false;
    }
    return true;
  };
  const ends = [];
  for (const each of root.querySelectorAll('dialog li')) {
    const { display, borderTopWidth } = getComputedStyle(each);
    if (display === 'contents' && borderTopWidth !== '0px') {
      faults.push(`${called(each)} has lost its box`);
    }
  }
  for (const each of root.querySelectorAll('*')) {
    if (!shown(each) || clipped(each)) continue;
    const box = each.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const style = getComputedStyle(each);
    const words = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const svg = each.closest('svg');
    if (svg) {
      if (each.tagName !== 'text' || !words) continue;
      const size = parseFloat(style.fontSize) * each.getScreenCTM().a;
      const least = each.closest('svg.board') ? onBoard : text;
      if (size < least - 0.1) faults.push(`${called(each)} is drawn in ${size.toFixed(1)} px`);
      continue;
    }
    if (!scrolls(each) && (box.left < -1 || box.right > innerWidth + 1)) {
      faults.push(`${called(each)} runs off the side`);
    }
    if (words && parseFloat(style.fontSize) < text) {
      faults.push(`${called(each)} is written in ${style.fontSize}`);
    }
    if (each.matches('select')) {
      const chosenWords = each.selectedOptions[0]?.textContent ?? '';
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const arrow = 16;
      const taken = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight) + arrow;
      if (pen.measureText(chosenWords).width > each.clientWidth - taken + 1) {
        faults.push(`${called(each)} cuts off “${chosenWords}”`);
      }
    }
    const cut = style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis'
      && each.scrollWidth > each.clientWidth + 1;
    const low = /hidden|clip/.test(style.overflowY) && style.webkitLineClamp === 'none'
      && style.textOverflow !== 'ellipsis' && each.scrollHeight > each.clientHeight + 2;
    if (words && (cut || low)) faults.push(`${called(each)} is cut`);
    if (words && !low && !scrolls(each)) {
      const letters = document.createRange();
      for (const node of [...each.childNodes].filter((one) => one.nodeType === 3)) {
        letters.selectNodeContents(node);
        const word = letters.getBoundingClientRect();
        if (word.width && isCut(each, word)) faults.push(`${called(each)} is cut off`);
      }
    }
    const chosen = each.matches('label') && each.control?.matches('[type=radio], [type=checkbox]');
    const pressed = chosen || each.matches('button, a[href], select, summary, input');
    const wordy = pressed && each.matches('button, a') && each.textContent.trim()
      && style.display !== 'inline' && !each.matches('.tile, .toggle');
    if (wordy && each.scrollWidth > each.clientWidth + 1) {
      faults.push(`${called(each)} runs out of its button`);
    }
    const aloneInLine = each.parentElement.textContent.trim() === each.textContent.trim();
    const inText = each.matches('a') && style.display === 'inline' && !aloneInLine;
    const radio = each.matches('input[type=radio], input[type=checkbox], input[type=file]');
    if (pressed && !inText && !radio && (box.width < touch - 0.5 || box.height < touch - 0.5)) {
      faults.push(`${called(each)} is ${Math.round(box.width)} × ${Math.round(box.height)} px`);
    }
    if (pressed && !radio && isAlone(each)) ends.push([each, box]);
  }
  for (const [at, [each, box]] of ends.entries()) {
    for (const [other, { left, right, top, bottom }] of ends.slice(at + 1)) {
      if (each.contains(other)) continue;
      const across = Math.min(box.right, right) - Math.max(box.left, left);
      const down = Math.min(box.bottom, bottom) - Math.max(box.top, top);
      if (across > 2 && down > 2) faults.push(`${called(each)} lies over ${called(other)}`);
    }
  }
  for (const each of root.querySelectorAll('.person-note')) {
    const across = each.scrollWidth > each.clientWidth + 1;
    if (shown(each) && across) faults.push(`${called(each)} ends in dots`);
  }
  // What to do next: at the end of a game, and in a lesson.
  for (const each of root.querySelectorAll('.result-buttons .button, .coach-buttons .button')) {
    const { top, bottom, height } = each.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight + 1 || height === 0) {
      faults.push(`${called(each)} is out of sight`);
    }
  }
  const words = root.querySelector('.coach p');
  if (words && words.closest('.table-head').clientHeight < Math.min(words.scrollHeight, 60)
      && getComputedStyle(words.closest('.table-head')).display !== 'contents') {
    faults.push('the words of the lesson are out of sight');
  }
  const list = root.querySelector('.part-side .move-list ol');
  if (list?.checkVisibility() && list.scrollHeight > list.clientHeight) {
    const { top, bottom } = list.getBoundingClientRect();
    for (const row of list.querySelectorAll('li')) {
      const box = row.getBoundingClientRect();
      const cut = [top + list.clientTop, bottom].some((y) => box.top < y - 3 && box.bottom > y + 3);
      if (cut) faults.push(`${called(row)} is cut in half`);
    }
  }
  return [...new Set(faults)];
}"""

TABLE = """() => {
  const faults = [];
  const page = document.querySelector('.table-page');
  if (!page) return faults;
  if (document.documentElement.scrollHeight > innerHeight + 1) faults.push('the table scrolls');
  for (const part of ['.part-board', '.part-hand', '.part-scores', '.table-top', '.player']) {
    let found = document.querySelector(part);
    if (found && getComputedStyle(found).display === 'contents') {
      found = found.querySelector('.kaosmos-space');
    }
    if (!found || !found.checkVisibility()) continue;
    const { left, right, top, bottom } = found.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
      faults.push(`${part} runs off the screen`);
    }
    if (part === '.part-board') continue; // a light behind it is larger
    if (found.scrollHeight > found.clientHeight + 2 || found.scrollWidth > found.clientWidth + 2) {
      faults.push(`${part} is ${found.clientWidth} × ${found.clientHeight} for a content of `
        + `${found.scrollWidth} × ${found.scrollHeight}`);
    }
  }
  const [hints, board] = [page.querySelector('.hint-line'), page.querySelector('svg.board')];
  if (hints && board && !board.closest('.kaosmos-table')) {
    const [over, box] = [hints.getBoundingClientRect(), board.getBoundingClientRect()];
    const { width, height } = board.viewBox.baseVal;
    const scale = Math.min(box.width / width, box.height / height);
    const bottom = box.top + (box.height + scale * height) / 2;
    const beside = over.left >= box.right - 1;
    if (!beside && over.top < bottom - 8) { // the edge of the tray
      faults.push(`hints cover ${Math.round(bottom - over.top)} px of the board`);
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
  const moved = ({ node, previousRect, currentRect }) =>
    (node?.parentElement ?? node)?.closest?.('.part-board, .rack')
    || ['y', 'height'].some((side) => previousRect[side] !== currentRect[side]);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      for (const { node } of entry.sources.filter(moved)) {
        window.shifts.push(node?.outerHTML?.slice(0, 120) ?? node?.textContent ?? '?');
      }
    }
  }).observe({ type: 'layout-shift', buffered: false });
}"""
"""Notes what moves: anything of the board and the tiles, and what is pushed up or down. A number or
a sentence that becomes longer within its line pushes nothing."""


def faults(page: Page) -> list[str]:
    """What runs off the screen, and what is too small, on the screen as it is."""
    found: list[str] = page.evaluate(FAULTS, [TOUCH, TEXT, ON_BOARD])
    table: list[str] = page.evaluate(TABLE)
    return found + table


def board(page: Page) -> dict[str, Any] | None:
    """Where the board is and how large, and the space that it has."""
    found: dict[str, Any] | None = page.evaluate(BOARD)
    return found


LEAST_SHARE = 0.6
"""The least part of an upright screen's width that a board takes, with letters of usual size."""

UNUSED = """([fills, leastShare]) => {
  const board = document.querySelector('svg.board');
  const table = document.querySelector('.table');
  if (!board || !table || table.matches('.ended')) return [];
  const { width, height } = board.viewBox.baseVal;
  const box = board.getBoundingClientRect();
  const scale = Math.min(box.width / width, box.height / height);
  const [across, down] = [(scale * width) / box.width, (scale * height) / box.height];
  const found = [];
  if (Math.max(across, down) < fills) found.push('the board does not fill its space');
  // Height that nobody needs is left between board and hand only where the board has all the width.
  const say = document.querySelector('.part-say')?.getBoundingClientRect();
  const most = Math.max(64, 0.1 * innerHeight);
  const upright = innerHeight > innerWidth;
  const letters = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const share = (scale * width) / innerWidth;
  if (upright && letters < 17 && share < leastShare && !document.querySelector('.replay')) {
    found.push(`the board takes ${Math.round(100 * share)} % of the width`);
  }
  if (upright && across < fills && say && !document.querySelector('.kaosmos-table')
      && say.height > most) {
    found.push(`${Math.round(say.height)} px stand empty below a board of `
      + `${Math.round(scale * width)} × ${Math.round(scale * height)}`);
  }
  return found;
}"""

LETTERS = """(size) => {
  document.documentElement.style.fontSize = size;
  // Where only this changes, Chromium 150 keeps what some container queries in rem have found.
  const table = document.querySelector('.table-page');
  if (!table) return;
  table.style.containerType = 'normal';
  table.getBoundingClientRect();
  table.style.containerType = '';
}"""

SETTLED = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def unused(page: Page) -> list[str]:
    """Space beside or below the board that it could take."""
    found: list[str] = page.evaluate(UNUSED, [FILLS, LEAST_SHARE])
    return found


def settle(page: Page) -> None:
    """Wait until what was changed has been laid out and drawn."""
    page.evaluate(SETTLED)


def set_text(page: Page, percent: int) -> None:
    """Letters of another size, as in the settings of a browser."""
    size = "" if percent == 100 else f"calc({percent / 100} * clamp(16px, .45vw + 9.5px, 26px))"
    page.evaluate(LETTERS, size)
