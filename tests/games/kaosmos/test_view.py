"""What each viewer may know, and how a view keeps up."""

from __future__ import annotations

import copy
import json
import pickle
from random import Random

import pytest

from tests.games.kaosmos.sitting import MARTIN, OTHER, Sitting, building, counted, tiles_of
from tuilerie.games.game import Action, Clock, Json, plain
from tuilerie.games.kaosmos import Kaosmos
from tuilerie.games.kaosmos.box import BOX, Box
from tuilerie.games.kaosmos.cards import CARDS
from tuilerie.games.kaosmos.events import Chosen, Drawn, Kept, Locked, Passed, Supplied
from tuilerie.games.kaosmos.notation import parse_galaxy
from tuilerie.games.kaosmos.tiles import TILES, TileSet

IDS = TILES.ids


def drafting() -> Sitting:
    return Sitting(kaos=False).draw(IDS[:9], IDS[9:18])


def test_a_seat_sees_its_packet_and_nobody_else_does() -> None:
    sitting = drafting()
    assert sitting.view(0).packet == IDS[:9]
    assert sitting.view(1).packet == IDS[9:18]
    assert sitting.view(None).packet is None
    assert sitting.view(None).packets == (9, 9)


def test_who_has_kept_looks_neither_at_these_tiles_nor_at_the_packet() -> None:
    sitting = drafting().act(0, "keep T01 T02 T03")
    view = sitting.view(0)
    assert (view.packet, view.supply, view.legal) == ((), (), ())
    assert (view.packets, view.kept) == ((6, 9), (3, 0))
    assert "T01" not in json.dumps(plain(view))
    sitting.act(1, "keep T10 T11 T12")
    assert sitting.view(0).packet == IDS[12:18]
    assert not {"T01", "T02", "T03"} & set(json.dumps(plain(sitting.view(0))).split('"'))


def test_the_draft_ends_with_nine_tiles_to_look_at() -> None:
    sitting = drafting().act(0, "keep T01 T02 T03").act(1, "keep T10 T11 T12")
    sitting.act(0, "keep T13 T14 T15").act(1, "keep T04 T05 T06")
    assert sitting.view(0).supply == (*IDS[:3], *IDS[6:9], *IDS[12:15])
    assert sitting.view(0).supplies == (9, 9)
    kept_and_passed = (IDS[:3], IDS[3:9], IDS[12:15], IDS[15:18])
    assert sitting.view(0).seen == kept_and_passed, "what a good memory holds"
    assert sitting.view(None).supply is None


def test_who_builds_sees_what_the_own_galaxy_is_worth_as_it_lies() -> None:
    sitting = building()
    assert sitting.view(0).counted is None
    sitting.act(0, "put T03 b2 1")
    own = sitting.view(0).counted
    assert own is not None
    assert {zone.colour for zone in own.zones} == {"green"}
    assert sum(zone.planets for zone in own.zones) == 2
    assert sitting.view(1).counted is None
    assert sitting.view(None).counted is None


def test_laid_tiles_are_seen_by_all_and_supplies_only_counted() -> None:
    sitting = building().act(0, "put T03 b2 1")
    for viewer in (None, 1):
        view = sitting.view(viewer)
        assert view.galaxies[0] == {"b2": ("T03", 1)}
        assert view.supplies == (8, 9)
        assert "T12" not in json.dumps(plain(view))
    assert sitting.view(1).supply == tuple(sorted(tiles_of(OTHER)))


def test_a_tile_set_aside_is_seen_by_all() -> None:
    sitting = building("trou-noir").act(0, "leave T12")
    assert sitting.view(1).aside == ("T12", None)
    assert sitting.view(None).aside == ("T12", None)


def test_a_view_tells_what_a_table_shows() -> None:
    sitting = building("breche").lay(0, parse_galaxy(MARTIN)).act(0, "grab blue")
    view = plain(sitting.view(1))
    assert view["viewer"] == 1
    assert (view["round"], view["direction"], view["phase"]) == (1, "left", "building")
    assert (view["card"], view["cards"], view["glass"]) == ("breche", ["breche"], 60)
    assert (view["actors"], view["locked"]) == ([1], [0])
    assert view["bonuses"] == {"green": None, "blue": 0, "orange": None}
    assert view["options"] == {"kaos": True, "draft": False, "seconds": 60}
    assert view["legal"][0] == "put T01 a1 0"
    assert view["number"] == sitting.state.number
    assert view["result"] is None
    assert "_box" not in view


def test_the_last_count_stays_in_view_with_its_galaxies() -> None:
    view = plain(counted().view(None))
    assert view["galaxies"] == [{}, {}]
    assert view["counts"][0]["galaxy"]["a1"] == ["T03", 3]
    assert view["counts"][0]["count"]["path"]["length"] == 7
    assert view["markers"][0] == {"green": 5, "blue": 4, "orange": 5, "star": 2}


def test_events_carry_tiles_and_choices_only_to_their_seat() -> None:
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
            seen = plain(redact(event, viewer))
            assert seen == {**plain(event), "tiles": None}
    for viewer in (0, 1, None):
        assert redact(Drawn(0, 9, True, IDS[:9]), viewer) == Drawn(0, 9, True, None)
    assert redact(Chosen(0, "turn a1"), 0) == Chosen(0, "turn a1")
    assert redact(Chosen(0, "turn a1"), 1) == Chosen(0, None)
    assert redact(Locked(0), None) == Locked(0)


@pytest.mark.parametrize("cards", range(4))
@pytest.mark.parametrize("draft", [True, False])
def test_a_view_that_follows_the_events_is_the_view_of_the_state(cards: int, draft: bool) -> None:
    """Five cards each time, so that all twenty are played; time is up now and then."""
    random = Random(cards)
    sitting = Sitting(3, draft=draft)
    deck = list(CARDS)[cards * 5 : cards * 5 + 5]
    views = {viewer: sitting.view(viewer) for viewer in (None, 0, 1, 2)}
    while sitting.state.result is None:
        state = sitting.state
        if state.phase == "card":
            sitting.card(deck[state.round - 1])
        elif sitting.game.due(state):
            sitting.enter(sitting.game.chance(state, random.randrange))
        elif state.phase == "building" and random.random() < 0.02:
            sitting.enter(Clock())
        else:
            seat = random.choice(state.waiting)
            legal = sitting.game.legal(state, seat)
            finishing = [move for move in legal if str(move).startswith(("grab", "done"))]
            sitting.enter(Action(seat, random.choice(finishing or legal)))
        for viewer, view in views.items():
            for event in sitting.events:
                view = sitting.game.follow(view, sitting.game.redact(event, viewer))  # noqa: PLW2901
            assert view == sitting.view(viewer)
            views[viewer] = view
    assert sitting.state.cards == tuple(deck)


def test_a_view_can_go_to_another_process() -> None:
    view = building("breche").view(0)
    sent = pickle.dumps(view)
    assert b"B2" not in sent  # our own tiles are not sent along
    assert pickle.loads(sent) == view
    assert pickle.loads(sent).box is BOX


def test_a_view_of_another_box_carries_its_tiles() -> None:
    other = Kaosmos(TileSet(TILES.tiles[:18]), dict(CARDS))
    view = other.view(other.start(2, {}), 0)
    sent = pickle.loads(pickle.dumps(view))
    assert sent == view
    assert sent.box.tiles.faces(cut=True)["T18", 3] == TILES.faces(cut=True)["T18", 3]
    assert copy.deepcopy(view) == view


def test_another_box_has_another_edition() -> None:
    assert Kaosmos().edition is None
    small = Kaosmos(TileSet(TILES.tiles[:18]))
    assert small.edition == Box(TileSet(TILES.tiles[:18]), CARDS).edition != BOX.edition
