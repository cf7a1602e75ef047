"""Deleting an account erases its name from the games."""

from __future__ import annotations

import json
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncEngine

from tests.store.people import META, People, everything
from tuilerie.match import facts as f
from tuilerie.match.config import Config
from tuilerie.store import Store
from tuilerie.store.maintenance.erase import nameless
from tuilerie.store.seats import Player


def encoded(*facts: f.Fact) -> list[bytes]:
    return [json.dumps(f.to_json(fact)).encode() for fact in facts]


def read(body: bytes) -> f.Fact:
    return f.from_json(json.loads(body))


OPENED = f.Opened(0, "genial", 1, Config(players=2))
STARTED = f.Started(4, {}, ("Ana", "Bo"))


async def test_deleting_an_account_erases_its_name_from_games(
    store: Store, people: People, engine: AsyncEngine
) -> None:
    seated = (f.Seated(1, 0, "pa", "Ana"), f.Seated(2, 1, "pb", "Bo"))
    facts = encoded(OPENED, *seated, f.Readied(3, 0, True), STARTED, f.Reacted(5, 0, "hello"))
    summary = {"seats": [{"name": "Ana"}, {"name": "Bo"}]}
    await store.log.create("t", facts, replace(META, summary=summary))
    ana, bo = [await people.accounts.create(name, f"secret of {name}") for name in ("Ana", "Bo")]
    hers = await people.seats.issue_token("t", "pa", "Ana", ana.id)
    his = await people.seats.issue_token("t", "pb", "Bo", bo.id)
    link, session = (
        await people.seats.issue_recovery(hers),
        await people.accounts.open_session(ana.id),
    )

    assert await people.accounts.delete(ana.id)
    assert await people.accounts.check_password("Ana", "secret of Ana") is None
    assert await people.accounts.session_account(session) is None
    assert await people.seats.resolve(hers) is None
    assert link is not None
    assert await people.seats.recover(link) is None
    assert await people.seats.games_of(ana.id, [hers]) == []
    left = await everything(engine)
    assert "Ana" not in left
    assert ana.id not in left

    bodies = [body for _, body in await store.log.read("t")]
    assert [read(body) for body in bodies] == [
        OPENED,
        f.Seated(1, 0, "pa", "#1"),
        seated[1],
        f.Readied(3, 0, True),
        f.Started(4, {}, ("#1", "Bo")),
        f.Reacted(5, 0, "hello"),
    ]
    assert await people.seats.resolve(his) == Player("pb", "t", "Bo", bo.id), "others are unchanged"
    assert not await people.accounts.delete(ana.id)
    assert await people.accounts.create("ana", "password")


async def test_erasure_changes_only_facts_with_the_name() -> None:
    others = encoded(
        OPENED,
        f.Seated(1, 0, "pa", "Ana"),
        f.Vacated(2, 0),
        f.Seated(3, 0, "pc", "Cléo"),
        f.Seated(3, 1, "pb", "Bo"),
        f.Started(4, {}, ("Cléo", "Bo")),
    )
    numbered = list(enumerate(others, 1))
    assert nameless(numbered, {"nobody"}) == {}
    assert nameless([(1, b"\xff"), (2, b"[]"), (3, others[1])], {"pa"}).keys() == {3}
    changed = nameless(numbered, {"pa"})
    assert {number: read(body) for number, body in changed.items()} == {
        2: f.Seated(1, 0, "pa", "#1")
    }
    changed = nameless(numbered, {"pa", "pb"})
    assert read(changed[5]) == f.Seated(3, 1, "pb", "#2")
    assert read(changed[6]) == f.Started(4, {}, ("Cléo", "#2"))
    assert set(changed) == {2, 5, 6}
