"""What each viewer may know, and how a view keeps up."""

from __future__ import annotations

import json

from tests.games.kaosmos.driver import MARTIN, OTHER, GameDriver, building, counted, tiles_of
from tuilerie.codec import to_builtins
from tuilerie.games.game import Json
from tuilerie.games.kaosmos import Kaosmos
from tuilerie.games.kaosmos.box import BOX, Box
from tuilerie.games.kaosmos.cards import CARDS
from tuilerie.games.kaosmos.events import Chosen, Drawn, Kept, Locked, Passed, Supplied
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.tiles import TILES, TileSet

IDS = TILES.ids


def drafting() -> GameDriver:
    return GameDriver(kaos=False).draw(IDS[:9], IDS[9:18])


def test_packet_is_visible_only_to_its_seat() -> None:
    driver = drafting()
    assert driver.view(0).packet == IDS[:9]
    assert driver.view(1).packet == IDS[9:18]
    assert driver.view(None).packet is None
    assert driver.view(None).packets == (9, 9)


def test_kept_tiles_and_packet_are_hidden_after_keeping() -> None:
    driver = drafting().act(0, "keep T01 T02 T03")
    view = driver.view(0)
    assert (view.packet, view.supply, view.legal) == ((), (), ())
    assert (view.packets, view.kept) == ((6, 9), (3, 0))
    assert "T01" not in json.dumps(to_builtins(view))
    driver.act(1, "keep T10 T11 T12")
    assert driver.view(0).packet == IDS[12:18]
    assert not {"T01", "T02", "T03"} & set(json.dumps(to_builtins(driver.view(0))).split('"'))


def test_draft_ends_with_nine_visible_tiles() -> None:
    driver = drafting().act(0, "keep T01 T02 T03").act(1, "keep T10 T11 T12")
    driver.act(0, "keep T13 T14 T15").act(1, "keep T04 T05 T06")
    assert driver.view(0).supply == (*IDS[:3], *IDS[6:9], *IDS[12:15])
    assert driver.view(0).supplies == (9, 9)
    kept_and_passed = (IDS[:3], IDS[3:9], IDS[12:15], IDS[15:18])
    assert driver.view(0).seen == kept_and_passed, "what the seat remembers"
    assert driver.view(None).supply is None


def test_builder_sees_the_current_count_of_the_own_galaxy() -> None:
    driver = building()
    assert driver.view(0).counted is None
    driver.act(0, "put T03 b2 1")
    own = driver.view(0).counted
    assert own is not None
    assert {zone.colour for zone in own.zones} == {"green"}
    assert sum(zone.planets for zone in own.zones) == 2
    assert driver.view(1).counted is None
    assert driver.view(None).counted is None


def test_laid_tiles_are_public_and_supplies_only_counted() -> None:
    driver = building().act(0, "put T03 b2 1")
    for viewer in (None, 1):
        view = driver.view(viewer)
        assert view.galaxies[0] == {"b2": ("T03", 1)}
        assert view.supplies == (8, 9)
        assert "T12" not in json.dumps(to_builtins(view))
    assert driver.view(1).supply == tuple(sorted(tiles_of(OTHER)))


def test_tile_set_aside_is_public() -> None:
    driver = building("trou-noir").act(0, "leave T12")
    assert driver.view(1).aside == ("T12", None)
    assert driver.view(None).aside == ("T12", None)


def test_view_holds_all_public_fields() -> None:
    driver = building("breche").lay(0, parse_galaxy(MARTIN)).act(0, "grab blue")
    view = to_builtins(driver.view(1))
    assert view["viewer"] == 1
    assert (view["round"], view["direction"], view["phase"]) == (1, "left", "building")
    assert (view["card"], view["cards"], view["timer"]) == ("breche", ["breche"], 60)
    assert (view["actors"], view["locked"]) == ([1], [0])
    assert view["bonuses"] == {"green": None, "blue": 0, "orange": None}
    assert view["options"] == {"kaos": True, "draft": False, "seconds": 60}
    assert view["moves"] == {
        "keep": 0,
        "put": True,
        "turning": True,
        "leave": False,
        "grab": ["green", "orange"],
        "done": False,
        "choices": [],
    }
    assert "legal" not in view, "it is computed from the rest"
    assert driver.view(1).legal[0] == "put T01 a1 0"
    assert view["number"] == driver.state.number
    assert view["result"] is None
    assert "_box" not in view


def test_the_last_count_stays_in_view_with_its_galaxies() -> None:
    view = to_builtins(counted().view(None))
    assert view["galaxies"] == [{}, {}]
    assert view["counts"][0]["galaxy"]["a1"] == ["T03", 3]
    assert view["counts"][0]["count"]["path"]["length"] == 7
    assert view["markers"][0] == {"green": 5, "blue": 4, "orange": 5, "star": 2}


def test_events_reveal_tiles_and_choices_only_to_their_seat() -> None:
    redact = Kaosmos().redact
    hidden: list[Json] = [
        Drawn(0, 9, False, IDS[:9]),
        Kept(0, 3, IDS[:3]),
        Passed(1, 0, 6, False, IDS[:6]),
        Supplied(0, 9, IDS[:9]),
    ]
    for event in hidden:
        assert redact(event, 0) == event
        for viewer in (1, None):
            seen = to_builtins(redact(event, viewer))
            assert seen == {**to_builtins(event), "tiles": None}
    for viewer in (0, 1, None):
        assert redact(Drawn(0, 9, True, IDS[:9]), viewer) == Drawn(0, 9, True, None)
    assert redact(Chosen(0, "turn a1"), 0) == Chosen(0, "turn a1")
    assert redact(Chosen(0, "turn a1"), 1) == Chosen(0, None)
    assert redact(Locked(0), None) == Locked(0)


def test_custom_box_has_its_own_edition() -> None:
    assert Kaosmos().edition is None
    small = Kaosmos(TileSet(TILES.tiles[:18]))
    assert small.edition == Box(TileSet(TILES.tiles[:18]), CARDS).edition != BOX.edition
