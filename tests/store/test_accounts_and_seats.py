"""Accounts, sessions and seats, in each database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from argon2 import PasswordHasher
from sqlalchemy import MetaData, select
from sqlalchemy.ext.asyncio import AsyncEngine

from tuilerie.match import facts as f
from tuilerie.match.config import Config
from tuilerie.store import Store
from tuilerie.store.accounts import SESSION_MS, Account, Accounts
from tuilerie.store.database import engine_for, parse_database
from tuilerie.store.errors import BadName, NameTaken, NoSuchAccount, NoSuchTable
from tuilerie.store.log import Status, TableMeta
from tuilerie.store.maintenance.erase import nameless
from tuilerie.store.schema import accounts, seat_tokens, sessions
from tuilerie.store.seats import Player, Seats
from tuilerie.store.sql import Sql
from tuilerie.store.tokens import Passwords, hashed

META = TableMeta("genial", 1)
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class People(NamedTuple):
    """Accounts and seats of one database."""

    accounts: Accounts
    seats: Seats


def people_of(engine: AsyncEngine, watch: Watch, passwords: Passwords) -> People:
    sql = Sql(engine)
    return People(Accounts(sql, now=watch, passwords=passwords), Seats(sql, now=watch))


class CountingHasher(PasswordHasher):
    """Counts how often it was made to work."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.work = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Any:
        self.work += 1
        return super().verify(hash, password)


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest_asyncio.fixture
async def engine(store: Store, place: str | Path) -> AsyncIterator[AsyncEngine]:
    made = engine_for(parse_database(place))
    yield made
    await made.dispose()


@pytest.fixture
def people(engine: AsyncEngine, watch: Watch) -> People:
    return people_of(engine, watch, Passwords(QUICK))


async def everything(engine: AsyncEngine) -> str:
    """All that is stored, as text."""
    found = MetaData()
    async with engine.connect() as connection:
        await connection.run_sync(found.reflect)
        rows = [
            [table.name, *map(repr, row)]
            for table in found.sorted_tables
            for row in (await connection.execute(select(table))).all()
        ]
    return json.dumps(rows, ensure_ascii=False)


# --- accounts -------------------------------------------------------------------------------------


async def test_an_account_is_known_by_its_password(people: People, engine: AsyncEngine) -> None:
    account = await people.accounts.create("  Ana  María ", "correct horse")
    assert account == Account(account.id, "Ana María", 1_000_000)
    assert await people.accounts.check_password("Ana María", "correct horse") == account
    assert await people.accounts.check_password("Ana María", "correct horsf") is None
    assert await people.accounts.check_password("Ana María", "") is None
    assert await people.accounts.find(account.id) == account
    assert "correct horse" not in await everything(engine)


@pytest.mark.parametrize("same", ["ana", "ANA", " Ana ", "Ａna", "aNa"])
async def test_names_that_look_the_same_are_the_same(people: People, same: str) -> None:
    account = await people.accounts.create("Ana", "password")
    with pytest.raises(NameTaken):
        await people.accounts.create(same, "password")
    assert await people.accounts.check_password(same, "password") == account


@pytest.mark.parametrize("name", ["", "  ", "a\x00b", "\u202e", "\ud800", "x" * 201])
async def test_a_name_that_cannot_be_shown_is_refused(people: People, name: str) -> None:
    with pytest.raises(BadName):
        await people.accounts.create(name, "password")
    assert await people.accounts.check_password(name, "password") is None


async def test_of_many_who_want_the_same_name_one_gets_it(people: People) -> None:
    asked = [people.accounts.create(name, name) for name in ("Bo", "bo", "BO", "bO") * 3]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    made = [answer for answer in answers if isinstance(answer, Account)]
    assert len(made) == 1
    assert sum(isinstance(answer, NameTaken) for answer in answers) == 11
    assert await people.accounts.check_password("bo", made[0].name) == made[0]


async def test_an_unknown_name_costs_as_much_work_as_a_wrong_password(engine: AsyncEngine) -> None:
    hasher = CountingHasher()
    people = people_of(engine, Watch(), Passwords(hasher))
    await people.accounts.create("Ana", "password")
    assert await people.accounts.check_password("Ana", "wrong") is None
    wrong, hasher.work = hasher.work, 0
    assert await people.accounts.check_password("Bo", "wrong") is None
    assert hasher.work == wrong == 1


async def test_a_password_is_the_same_on_every_keyboard(people: People) -> None:
    await people.accounts.create("Ana", "caf\u00e9")
    assert await people.accounts.check_password("Ana", "cafe\u0301") is not None


async def test_a_password_is_hashed_anew_when_more_work_is_asked_for(engine: AsyncEngine) -> None:
    await people_of(engine, Watch(), Passwords(QUICK)).accounts.create("Ana", "password")
    stronger = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    people = people_of(engine, Watch(), Passwords(stronger))
    assert await people.accounts.check_password("Ana", "password") is not None
    async with engine.connect() as connection:
        (stored,) = (await connection.execute(select(accounts.c.password_hash))).one()
    assert stored.startswith("$argon2id$v=19$m=16,t=2,p=1$")
    assert await people.accounts.check_password("Ana", "password") is not None


async def test_the_passwords_of_real_accounts_are_hashed_with_real_work() -> None:
    stored = await Passwords().hash("password")
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


# --- sessions -------------------------------------------------------------------------------------


async def test_a_session_stands_for_its_account_until_it_is_closed(people: People) -> None:
    ana, bo = [await people.accounts.create(name, "password") for name in ("Ana", "Bo")]
    first, second = [await people.accounts.open_session(ana.id) for _ in range(2)]
    other = await people.accounts.open_session(bo.id)
    assert await people.accounts.session_account(first) == ana
    assert await people.accounts.session_account(other) == bo
    await people.accounts.close_session(first)
    assert await people.accounts.session_account(first) is None
    assert await people.accounts.session_account(second) == ana
    assert await people.accounts.session_account("nobody's") is None
    with pytest.raises(NoSuchAccount):
        await people.accounts.open_session("nobody")


async def test_another_password_ends_every_session_of_its_account(people: People) -> None:
    ana, bo = [await people.accounts.create(name, "the first one") for name in ("Ana", "Bo")]
    hers, his = (
        await people.accounts.open_session(ana.id),
        await people.accounts.open_session(bo.id),
    )
    token = await people.accounts.change_password(ana.id, "the second one")
    assert await people.accounts.session_account(token) == ana
    assert await people.accounts.check_password("Ana", "the first one") is None
    assert await people.accounts.check_password("Ana", "the second one") == ana
    assert await people.accounts.session_account(hers) is None
    assert await people.accounts.check_password("Bo", "the first one") == bo
    assert await people.accounts.session_account(his) == bo


async def test_a_session_does_not_last_for_ever(
    people: People, watch: Watch, engine: AsyncEngine
) -> None:
    ana = await people.accounts.create("Ana", "password")
    old = await people.accounts.open_session(ana.id)
    watch.ms += SESSION_MS - 1
    assert await people.accounts.session_account(old) == ana
    watch.ms += 1
    assert await people.accounts.session_account(old) is None
    await people.accounts.open_session(ana.id)
    async with engine.connect() as connection:
        rows = (await connection.execute(select(sessions.c.token_hash))).all()
    assert hashed(old) not in [row.token_hash for row in rows], "it is not kept either"


# --- seats ----------------------------------------------------------------------------------------


async def test_a_seat_token_stands_for_its_player(store: Store, people: People) -> None:
    await store.log.create("t", [], META)
    tokens = [await people.seats.issue_token("t", f"p{each}", f"Name {each}") for each in range(3)]
    assert await people.seats.resolve(tokens[1]) == Player("p1", "t", "Name 1", None)
    assert await people.seats.resolve("guess") is None
    assert set(await people.seats.players("t")) == {"p0", "p1", "p2"}
    for nowhere in ("nowhere", "no\x00where"):
        with pytest.raises(NoSuchTable):
            await people.seats.issue_token(nowhere, "p", "x")
        assert await people.seats.players(nowhere) == {}
        assert await people.seats.player_of("nobody", nowhere) is None


async def test_tokens_are_long_random_and_only_their_hash_is_stored(
    store: Store, people: People, engine: AsyncEngine
) -> None:
    await store.log.create("t", [], META)
    ana = await people.accounts.create("Ana", "password")
    tokens = [await people.seats.issue_token("t", "p") for _ in range(5)]
    recovery = await people.seats.issue_recovery(tokens[0])
    assert recovery is not None
    tokens += [recovery, await people.accounts.open_session(ana.id)]
    assert len(set(tokens)) == 7
    assert {len(token) for token in tokens} == {22}  # 128 bits, six in a letter
    stored = await everything(engine)
    assert not [token for token in tokens if token in stored]
    async with engine.connect() as connection:
        rows = (await connection.execute(select(seat_tokens.c.token_hash))).all()
    assert {row.token_hash for row in rows} == {hashed(token) for token in tokens[:-1]}


async def test_a_seat_can_be_had_on_several_devices_by_a_link(store: Store, people: People) -> None:
    await store.log.create("t", [], META)
    token = await people.seats.issue_token("t", "p", "Ana")
    link = await people.seats.issue_recovery(token)
    assert link is not None
    assert await people.seats.resolve(link) is None, "a link is no seat token"
    devices = []
    for _ in range(3):
        found = await people.seats.recover(link)
        assert found is not None
        assert found[0] == Player("p", "t", "Ana", None)
        devices.append(found[1])
    assert len({token, link, *devices}) == 5
    for device in devices:
        assert await people.seats.resolve(device) == Player("p", "t", "Ana", None)
    assert await people.seats.recover(token) is None, "a seat token is no link"
    assert await people.seats.issue_recovery(link) is None
    assert await people.seats.issue_recovery("guess") is None


async def test_a_crowd_that_comes_at_once_is_told_apart(store: Store, people: People) -> None:
    await store.log.create("t", [], META)
    tokens = [await people.seats.issue_token("t", f"p{index}", "Ana") for index in range(30)]
    link = await people.seats.issue_recovery(tokens[0])
    assert link is not None
    found = await asyncio.gather(
        *(people.seats.resolve(token) for token in [*tokens, "guess", link])
    )
    named = [player and player.id for player in found]
    assert named == [*(f"p{index}" for index in range(30)), None, None]


async def test_the_same_player_may_sit_at_two_tables(store: Store, people: People) -> None:
    for table in ("t", "u"):
        await store.log.create(table, [], META)
    tokens = [await people.seats.issue_token(table, "p", "Ana") for table in ("t", "u")]
    found = [await people.seats.resolve(token) for token in tokens]
    assert [player and player.table for player in found] == ["t", "u"]


async def test_an_account_claims_the_seats_whose_tokens_it_holds(
    store: Store, people: People
) -> None:
    for table in ("t", "u", "v"):
        await store.log.create(table, [], META)
    ana, bo = [await people.accounts.create(name, "password") for name in ("Ana", "Bo")]
    mine = [await people.seats.issue_token(table, f"p{table}") for table in ("t", "u")]
    his = await people.seats.issue_token("v", "pv", "Bo", bo.id)
    assert await people.seats.claim(ana.id, [*mine, mine[0], his, "guess"]) == 2
    assert await people.seats.claim(ana.id, mine) == 0
    assert await people.seats.claim(bo.id, mine) == 0, "they are Ana's"
    assert await people.seats.player_of(ana.id, "t") == Player("pt", "t", None, ana.id)
    assert await people.seats.player_of(ana.id, "v") is None
    assert await people.seats.player_of(bo.id, "v") == Player("pv", "v", "Bo", bo.id)
    assert await people.seats.claim(ana.id, []) == 0
    with pytest.raises(NoSuchAccount):
        await people.seats.claim("nobody", [await people.seats.issue_token("t", "free")])


async def test_a_seat_taken_by_an_account_is_its_own(store: Store, people: People) -> None:
    await store.log.create("t", [], META)
    ana, bo = [await people.accounts.create(name, "password") for name in ("Ana", "Bo")]
    await people.seats.issue_token("t", "p", "Guest")
    await people.seats.issue_token("t", "p", "Ana", ana.id)
    await people.seats.issue_token("t", "p", "Bo", bo.id)
    assert await people.seats.players("t") == {"p": Player("p", "t", "Guest", ana.id)}
    with pytest.raises(NoSuchAccount):
        await people.seats.issue_token("t", "q", "Nobody", "nobody")


async def test_my_games_are_those_of_my_account_and_my_tokens(
    store: Store, people: People, watch: Watch
) -> None:
    ana = await people.accounts.create("Ana", "password")
    tokens = {}
    for number, table in enumerate(("t", "u", "v", "w")):
        await store.log.create(table, [b"x"] * number, TableMeta("genial", 2, {"a": number}))
        watch.ms += 1
        tokens[table] = await people.seats.issue_token(table, f"p{table}")
    await store.log.set_status("u", Status.OVER)
    await people.seats.claim(ana.id, [tokens["t"], tokens["u"]])

    async def mine(account: str | None, *held: str) -> list[str]:
        games = await people.seats.games_of(account, [tokens[each] for each in held])
        return [row.table for row, _ in games]

    assert await mine(ana.id) == ["u", "t"]
    assert await mine(None, "v") == ["v"]
    assert await mine(ana.id, "v", "u") == ["v", "u", "t"]
    assert await mine(None) == []
    (first, *_), limited = (
        await people.seats.games_of(ana.id),
        await people.seats.games_of(ana.id, limit=1),
    )
    row, player = first
    assert limited == [first]
    assert row == await store.log.table("u")
    assert (row.status, row.head, row.options, row.rules) == (Status.OVER, 1, {"a": 1}, 2)
    assert player == Player("pu", "u", None, ana.id)


# --- being forgotten ------------------------------------------------------------------------------


def told(*facts: f.Fact) -> list[bytes]:
    return [json.dumps(f.to_json(fact)).encode() for fact in facts]


def read(body: bytes) -> f.Fact:
    return f.from_json(json.loads(body))


OPENED = f.Opened(0, "genial", 1, Config(players=2))
STARTED = f.Started(4, {}, ("Ana", "Bo"))


async def test_seats_of_accounts_are_given_back(store: Store, people: People) -> None:
    await store.log.create("t", [], META)
    ana, bo = [await people.accounts.create(name, "password") for name in ("Ana", "Bo")]
    hers = [await people.seats.issue_token("t", "pa", "Ana", ana.id) for _ in range(2)]
    his = await people.seats.issue_token("t", "pb", "Bo", bo.id)
    guests = await people.seats.issue_token("t", "pc", "Cem")
    tokens = [hers[0], his, guests, "guess"]
    assert await people.seats.revoke(tokens, keep=bo.id) == [("t", "pa")]
    assert await held(people, *hers, his, guests) == [None, "pa", "pb", "pc"]
    assert await people.seats.revoke(tokens) == [("t", "pb")]
    assert await held(people, *hers, his, guests) == [None, "pa", None, "pc"]
    assert await people.seats.revoke(tokens) == []
    assert await people.seats.revoke([]) == []


async def held(people: People, *tokens: str) -> list[str | None]:
    """Who is known by these seat tokens."""
    found = [await people.seats.resolve(token) for token in tokens]
    return [player.id if player else None for player in found]


async def test_another_password_makes_all_that_seats_were_had_by_worthless(
    store: Store, people: People
) -> None:
    await store.log.create("t", [], META)
    ana = await people.accounts.create("Ana", "password")
    hers = await people.seats.issue_token("t", "pa", "Ana", ana.id)
    guests = await people.seats.issue_token("t", "pc", "Cem")
    link = await people.seats.issue_recovery(hers)
    assert link is not None
    await people.accounts.change_password(ana.id, "another one")
    assert await held(people, hers, guests) == [None, "pc"]
    assert await people.seats.recover(link) is None
    assert await people.seats.player_of(ana.id, "t") == Player("pa", "t", "Ana", ana.id)


async def test_an_account_claims_one_seat_at_a_table_and_whoever_played_on(
    store: Store, people: People
) -> None:
    """Around one device the other seats are other people's; at a rematch one is the same player."""
    for slug in ("t", "u", "v"):
        await store.log.create(slug, [], META)
    ana = await people.accounts.create("Ana", "password")
    await people.seats.issue_token("t", "pa", "Ana", ana.id)
    beside = await people.seats.issue_token("t", "pb", "Bo")
    first, again = [await people.seats.issue_token(slug, "pc", "Cem") for slug in ("u", "v")]
    offered = await people.seats.unclaimed([beside, first, again], ana.id)
    assert sorted(row.table for row, _ in offered) == ["u", "v"]
    assert len(await people.seats.unclaimed([beside, first, again])) == 3
    assert await people.seats.claim(ana.id, [beside]) == 0
    assert await people.seats.claim(ana.id, [again]) == 2
    assert await people.seats.unclaimed([beside, first, again], ana.id) == []


async def test_of_two_players_at_a_table_an_account_claims_one(
    store: Store, people: People
) -> None:
    """A browser that two people share may hold the seat of one here, and of the other there."""
    for slug in ("t", "u"):
        await store.log.create(slug, [], META)
        for player in ("pa", "pb"):
            await people.seats.issue_token(slug, player)
    ana = await people.accounts.create("Ana", "password")
    tokens = [await people.seats.issue_token("t", "pa"), await people.seats.issue_token("u", "pb")]
    assert await people.seats.claim(ana.id, tokens) == 2
    for slug, player in (("t", "pa"), ("u", "pb")):
        own = await people.seats.player_of(ana.id, slug)
        assert own is not None
        assert own.id == player


async def test_all_who_log_in_while_a_hash_is_renewed_are_let_in(people: People) -> None:
    await people.accounts.create("Ana", "password")
    people.accounts._passwords = Passwords(
        PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    )
    found = await asyncio.gather(*[people.accounts.log_in("Ana", "password") for _ in range(4)])
    assert None not in found


async def test_logging_in_opens_a_session(people: People) -> None:
    ana = await people.accounts.create("Ana", "password")
    found = await people.accounts.log_in(" ana", "password")
    assert found is not None
    assert found[0] == ana
    assert await people.accounts.session_account(found[1]) == ana
    assert await people.accounts.log_in("Ana", "wrong") is None
    assert await people.accounts.log_in("Bo", "password") is None


async def test_a_password_that_is_changed_while_it_is_checked_is_the_old_one(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither does it open a session, nor does it come back when it is hashed with more work."""
    ana = await people.accounts.create("Ana", "the first one")
    check = people.accounts._passwords.check

    async def slow(stored: str | None, password: str) -> tuple[bool, str | None]:
        fits, _ = await check(stored, password)
        monkeypatch.setattr(people.accounts._passwords, "check", check)
        await people.accounts.change_password(ana.id, "the second one")
        return fits, await people.accounts._passwords.hash(password)

    monkeypatch.setattr(people.accounts._passwords, "check", slow)
    assert await people.accounts.log_in("Ana", "the first one") is None
    assert await people.accounts.check_password("Ana", "the first one") is None
    assert await people.accounts.check_password("Ana", "the second one") == ana


async def test_a_deleted_account_leaves_its_games_without_its_name(
    store: Store, people: People, engine: AsyncEngine
) -> None:
    seated = (f.Seated(1, 0, "pa", "Ana"), f.Seated(2, 1, "pb", "Bo"))
    facts = told(OPENED, *seated, f.Readied(3, 0, True), STARTED, f.Reacted(5, 0, "hello"))
    await store.log.create("t", facts, META)
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
    assert await people.seats.resolve(his) == Player("pb", "t", "Bo", bo.id), (
        "others stay as they are"
    )
    assert not await people.accounts.delete(ana.id)
    assert await people.accounts.create("ana", "password")


async def test_only_facts_that_name_somebody_are_changed() -> None:
    others = told(
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
