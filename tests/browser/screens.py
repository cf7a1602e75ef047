"""Every screen of the client, and how to reach it. `make shots` takes screenshots of them, and axe
checks each (`test_pages.py`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.browser.drivers import DRIVERS, TURN, lay, move, play_out
from tests.browser.house import make_table, sit_with_bots, turned_up

if TYPE_CHECKING:
    from playwright.sync_api import Page

Screen = Callable[["Page"], None]
GAMES = ("genial", "blockers", "kaosmos")
MOST = {"genial": 4, "blockers": 5, "kaosmos": 6}

THEME = "(theme) => { document.documentElement.dataset.theme = theme; }"


def dress(page: Page, theme: str) -> None:
    """Show the same screen in another theme, as the settings do it."""
    page.evaluate(THEME, theme)


def at(path: str, ready: str) -> Screen:
    """A page by its address."""

    def show(page: Page) -> None:
        page.goto(path)
        page.locator(ready).first.wait_for(state="attached")

    return show


def then(first: Screen, click: str, ready: str = "dialog") -> Screen:
    """A screen behind a button."""

    def show(page: Page) -> None:
        first(page)
        page.click(click)
        page.wait_for_selector(ready)

    return show


def playing(game: str, moves: int = 0, players: int = 2) -> Screen:
    """A game after so many moves of ours, at our turn."""

    def show(page: Page) -> None:
        sit_with_bots(page, game, players)
        for done in range(moves):
            move(page, game, done)
        page.wait_for_selector(TURN[game])

    return show


def with_ghost(first: Screen) -> Screen:
    """Génial! with a tile that hovers over the board."""

    def show(page: Page) -> None:
        first(page)
        page.keyboard.press("2")
        page.keyboard.press("n")
        page.wait_for_selector(".hand-buttons .primary:not([disabled])")

    return show


def held(game: str) -> Screen:
    """A tile that can still be undone."""

    def show(page: Page) -> None:
        playing(game, 2)(page)
        page.evaluate("localStorage['tuilerie.turn-end'] = 'press'")
        page.reload()
        page.wait_for_selector(TURN[game])
        while not page.query_selector(".turn-buttons"):
            DRIVERS[game](page, 0)
            page.wait_for_timeout(50)
        page.evaluate("localStorage['tuilerie.turn-end'] = '0'")

    return show


def hinted(game: str) -> Screen:
    """The best moves, drawn on the board."""

    def show(page: Page) -> None:
        playing(game, 3)(page)
        page.click(".hint-button")
        page.wait_for_selector(".hint-line")

    return show


def hinted_in_hand(game: str) -> Screen:
    """The same, asked for while a tile hovers over the board."""

    def show(page: Page) -> None:
        playing(game, 3)(page)
        for key in ("1", "n") if game == "genial" else ("1", "ArrowDown"):
            page.keyboard.press(key)
        page.keyboard.press("h")
        page.wait_for_selector(".hint-badge")

    return show


def card(page: Page) -> None:
    """The Kaos card of the first round, as it is turned over."""
    sit_with_bots(page, "kaosmos")
    page.wait_for_selector(".kaosmos-reveal")


def choosing(page: Page) -> None:
    """Blockers! with a tile in hand: its cells are lit."""
    playing("blockers", 5)(page)
    page.click(".hand.open .tile:not(.useless)")
    page.wait_for_selector(".blockers-cell.target, .blockers-capture")


def drafted(page: Page) -> None:
    """Keep tiles of each packet until building begins."""
    tray = ".hand.open .rack"
    page.wait_for_selector(TURN["kaosmos"])
    while not page.query_selector(tray):
        move(page, "kaosmos")
        page.wait_for_selector(TURN["kaosmos"])


def ready(page: Page) -> None:
    """Kaosmos with its tiles face down, while the start is counted down."""
    sit_with_bots(page, "kaosmos")
    # Waited for in the page: the countdown takes three seconds, and a look may come too late.
    next_step = page.locator(".kaosmos-pick:not([disabled]), .kaosmos-countdown").first
    while "kaosmos-pick" in str(next_step.get_attribute("class")):
        DRIVERS["kaosmos"](page, 0)


LONGEST = {
    "square": "ingerence",
    "row": "une-dimension",
    "twins": "univers-paralleles",
    "ring": "trou-noir",
    "free": "derive",
}
"""Of each shape of a galaxy the Kaos card with the most words."""


def building(tiles: int, players: int = 2, card: str | None = "vide-sideral") -> Screen:
    """Kaosmos while so many tiles lie, and the live count of them; the same at every run."""

    def show(page: Page) -> None:
        options = {"draft": False, "kaos": card is not None}
        with turned_up(page, card or ""):
            sit_with_bots(page, "kaosmos", players, options=options)
            page.wait_for_selector(".hand.open .rack")
        page.wait_for_selector(".kaosmos-timer:not(.early)")
        lay(page, tiles)
        # What is drawn over the tiles comes when the server has answered.
        page.wait_for_selector(".kaosmos-marks", state="attached")

    return show


def counted(page: Page) -> None:
    """The count after a round of Kaosmos."""
    building(9)(page)
    DRIVERS["kaosmos"](page, 0)  # done
    page.wait_for_selector(".kaosmos-count")


def second_round(page: Page) -> None:
    """The second round of Kaosmos: its card, and markers that are apart."""
    counted(page)
    while page.query_selector(".kaosmos-count"):
        DRIVERS["kaosmos"](page, 0)
        page.wait_for_timeout(50)
    page.wait_for_selector(".kaosmos-markers .low", state="attached")


def waiting(page: Page) -> None:
    """A table that waits for friends."""
    FRIENDS(page)
    page.click("dialog button[type=submit]")
    page.wait_for_selector(".qr")


def waiting_with_bot(page: Page) -> None:
    """A table for four that its host has almost filled."""
    table = {"game": "genial", "players": 4, "name": "Camille", "public": True}
    table |= {"clock": {"kind": "game", "seconds": 900, "increment": 10}}
    table["bots"] = [{"seat": 2, "level": "faience"}]
    page.goto(f"/t/{make_table(page, table)}")
    page.wait_for_selector(".levels")


def lobby(page: Page) -> None:
    """Tables that wait, and games to watch."""
    for game, players in (("genial", 3), ("kaosmos", 4), ("blockers", 5)):
        make_table(page, {"game": game, "players": players, "name": "Inès", "public": True})
    public = {"game": "genial", "players": 2, "name": "Sami", "public": True}
    public["bots"] = [{"seat": 1, "level": "random"}]
    page.goto(f"/t/{make_table(page, public)}")
    page.wait_for_selector(".part-board")
    page.goto("/lobby")
    page.wait_for_selector(".lobby-table")
    page.wait_for_selector(".lobby-game")


def my_games(page: Page) -> None:
    """Games in play and finished ones."""
    over(page)
    playing("blockers")(page)
    make_table(page, {"game": "kaosmos", "players": 4, "name": "Inès"})
    page.goto("/games")
    page.wait_for_selector(".my-row.over")
    page.wait_for_selector(".my-row.mine")


def joining(page: Page) -> None:
    """What a friend sees who opens the link: the same browser without its seat cookie."""
    waiting(page)
    page.context.clear_cookies()
    page.reload()
    page.wait_for_selector("main form")


def curtain(page: Page) -> None:
    """The hand-over screen of a game on one device."""
    FRIENDS(page)
    page.check("dialog input[value=device]", force=True)
    page.click("dialog button[type=submit]")
    page.wait_for_selector(".curtain, .hand.open")
    if page.query_selector(".hand.open"):
        DRIVERS["genial"](page, 0)
    page.wait_for_selector(".curtain")


def over(page: Page, moves: int = 1) -> None:
    """The result of a resigned game."""
    playing("genial", moves)(page)
    page.click(".table-top .icon-button:last-child")
    for _ in range(2):
        page.click("dialog .danger")
    page.wait_for_selector("dialog .result")


def history(page: Page) -> None:
    """All moves: beside the board where there is room, else on a sheet."""
    playing("genial", 4)(page)
    button = page.locator(".history-button")
    if button.is_visible():
        button.click()
        page.wait_for_selector("dialog")


def keys(page: Page) -> None:
    """All keys, asked for by one."""
    playing("genial")(page)
    page.keyboard.press("?")
    page.wait_for_selector("dialog .keys")


def looking_back(page: Page) -> None:
    """The replay of a game, some moves from its beginning."""
    over(page, 3)
    page.click("dialog a[href^='/r/']")
    page.wait_for_selector(".player")
    for _ in range(5):
        page.keyboard.press("ArrowRight")


def other_device(page: Page) -> None:
    """The link to one's own seat."""
    playing("genial")(page)
    page.click(".table-top .icon-button:last-child")
    page.click("dialog .other-device summary")
    page.wait_for_selector("dialog .qr")


def with_account(page: Page) -> None:
    """One's own page, with games that were played before."""
    playing("genial")(page)
    over(page)
    page.goto("/account")
    page.check("input[value=make]", force=True)
    page.fill("input[name=username]", f"Camille {secrets.token_hex(3)}")
    page.fill("main form input[type=password]", "correct horse battery")
    page.click("main form [type=submit]")
    page.wait_for_selector(".account-head")
    page.wait_for_selector("main .lobby li")


def new_table(game: str) -> Screen:
    """The form for a new table."""
    return then(HOME, f".{game} .game-buttons .button:not(.primary)")


HOME = at("/", ".game-tile select option")
FRIENDS = then(HOME, ".genial .game-buttons .button:not(.primary)")
SCREENS: dict[str, Screen] = {
    "home": HOME,
    "settings": then(HOME, ".top button.icon-button"),
    "new-table": new_table("kaosmos"),
    "waiting": waiting,
    "waiting-bot": waiting_with_bot,
    "joining": joining,
    "curtain": curtain,
    "lobby": lobby,
    "my-games": my_games,
    "replay": at("/replay", "input[type=file]"),
    "account": at("/account", "main form"),
    "nowhere": at("/nowhere", "h1"),
    **{f"rules-{game}": at(f"/rules/{game}", ".rulebook h2") for game in GAMES},
    **{f"learn-{game}": at(f"/learn/{game}", ".coach") for game in GAMES},
    **{f"{game}-start": playing(game) for game in GAMES},
    **{f"{game}-full-table": playing(game, players=MOST[game]) for game in GAMES},
    "genial-middle": with_ghost(playing("genial", 7)),
    "blockers-middle": choosing,
    "genial-held": held("genial"),
    "blockers-held": held("blockers"),
    "genial-hint": hinted("genial"),
    "blockers-hint": hinted("blockers"),
    "kaosmos-card": card,
    "kaosmos-ready": ready,
    "kaosmos-middle": building(7),
    "kaosmos-count": counted,
    "kaosmos-second-round": second_round,
    "history": history,
    "menu": then(playing("genial", 1), ".table-top .icon-button:last-child"),
    "keys": keys,
    "over": over,
    "looking-back": looking_back,
    "other-device": other_device,
    "account-inside": with_account,  # the last: it logs in
}


LONG = "Maximilienne-Alexandrine"
"""As long as a name may be."""


def full_table(game: str) -> Screen:
    """A game for the most players, with clocks and a long name, at our turn."""

    def show(page: Page) -> None:
        clock = {"kind": "game", "seconds": 600, "increment": 5}
        bots = [{"seat": seat, "level": "terracotta"} for seat in range(1, MOST[game])]
        sit_with_bots(page, game, MOST[game], clock=clock, name=LONG, bots=bots)
        page.wait_for_selector(TURN[game])

    return show


def finished(game: str) -> Screen:
    """The result of a game that was played to its end."""

    def show(page: Page) -> None:
        sit_with_bots(page, game, options=QUICK.get(game, {}))
        play_out([page], DRIVERS[game])
        page.wait_for_selector("dialog .result")

    return show


def replayed(game: str) -> Screen:
    """Such a game again, some moves from its beginning."""

    def show(page: Page) -> None:
        finished(game)(page)
        page.click("dialog a[href^='/r/']")
        page.wait_for_selector(".player")
        for _ in range(6):
            page.keyboard.press("ArrowRight")

    return show


def replayed_to_end(page: Page) -> None:
    """The last moment of a replay: Blockers! with many captures of two colours."""
    replayed("blockers")(page)
    page.keyboard.press("End")


QUICK: dict[str, dict[str, object]] = {"kaosmos": {"kaos": False, "draft": False, "seconds": None}}
"""Options without which a whole game takes minutes."""

MEASURED: dict[str, Screen] = {
    **{
        name: SCREENS[name]
        for name in (
            "home", "settings", "new-table", "waiting", "joining", "curtain", "lobby", "replay",
            "account", "nowhere", "menu", "keys", "history", "other-device", "looking-back",
            "waiting-bot", "my-games", "account-inside", "kaosmos-card", "genial-held",
        )
    },
    **{f"rules-{game}": SCREENS[f"rules-{game}"] for game in GAMES},
    **{f"learn-{game}": SCREENS[f"learn-{game}"] for game in GAMES},
    **{f"{game}-start": SCREENS[f"{game}-start"] for game in GAMES},
    **{f"{game}-full": full_table(game) for game in GAMES},
    **{f"{game}-hint": hinted_in_hand(game) for game in ("genial", "blockers")},
    **{f"{game}-new-table": new_table(game) for game in GAMES},
    "genial-three": playing("genial", players=3),
    "kaosmos-four": playing("kaosmos", players=4),
    "genial-ghost": SCREENS["genial-middle"],
    "blockers-choice": SCREENS["blockers-middle"],
    "kaosmos-build": SCREENS["kaosmos-middle"],
    "kaosmos-count": SCREENS["kaosmos-count"],
    "kaosmos-many": building(4, players=6, card=None),
    **{f"kaosmos-many-{shape}": building(4, players=6, card=LONGEST[shape]) for shape in LONGEST},
    "resigned": SCREENS["over"],
    **{f"{game}-result": finished(game) for game in GAMES},
    **{f"replay-{game}": replayed(game) for game in GAMES},
    "replay-end": replayed_to_end,
}  # fmt: skip
"""Every screen whose layout is measured."""
