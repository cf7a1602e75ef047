"""Accounts, sessions and seats, in each database."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from argon2 import PasswordHasher
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.store.people import META, QUICK, FakeClock, People, everything, people_of
from tuilerie.store import Store, seats
from tuilerie.store.accounts import SESSION_MS, Account
from tuilerie.store.errors import BadName, NameTaken, NoSuchAccount, NoSuchTable
from tuilerie.store.log import Status, TableMeta
from tuilerie.store.schema import accounts, seat_tokens, sessions
from tuilerie.store.seats import RECOVERY_MS, Player
from tuilerie.store.tokens import Passwords, hashed


class CountingHasher(PasswordHasher):
    """Counts its hash computations."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.work = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Any:
        self.work += 1
        return super().verify(hash, password)


# --- accounts -------------------------------------------------------------------------------------


async def test_password_is_checked_and_not_stored_in_plain_text(
    people: People, engine: AsyncEngine
) -> None:
    account = await people.accounts.create("  Ana  María ", "correct horse")
    assert account == Account(account.id, "Ana María", 1_000_000)
    assert await people.accounts.check_password("Ana María", "correct horse") == account
    assert await people.accounts.check_password("Ana María", "correct horsf") is None
    assert await people.accounts.check_password("Ana María", "") is None
    assert await people.accounts.find(account.id) == account
    assert "correct horse" not in await everything(engine)


async def test_equivalent_names_are_taken(people: People) -> None:
    account = await people.accounts.create("Ana", "password")
    for same in ("ana", "ANA", " Ana ", "Ａna", "aNa"):
        with pytest.raises(NameTaken):
            await people.accounts.create(same, "password")
        assert await people.accounts.check_password(same, "password") == account, same


async def test_undisplayable_name_is_refused(people: People) -> None:
    for name in ("", "  ", "a\x00b", "\u202e", "\ud800", "x" * 201):
        with pytest.raises(BadName):
            await people.accounts.create(name, "password")
        assert await people.accounts.check_password(name, "password") is None


async def test_concurrent_registrations_of_a_name_have_one_winner(people: People) -> None:
    asked = [people.accounts.create(name, name) for name in ("Bo", "bo", "BO", "bO") * 3]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    made = [answer for answer in answers if isinstance(answer, Account)]
    assert len(made) == 1
    assert sum(isinstance(answer, NameTaken) for answer in answers) == 11
    assert await people.accounts.check_password("bo", made[0].name) == made[0]


async def test_unknown_name_takes_as_much_work_as_a_wrong_password(engine: AsyncEngine) -> None:
    hasher = CountingHasher()
    people = people_of(engine, FakeClock(), Passwords(hasher))
    await people.accounts.create("Ana", "password")
    assert await people.accounts.check_password("Ana", "wrong") is None
    wrong, hasher.work = hasher.work, 0
    assert await people.accounts.check_password("Bo", "wrong") is None
    assert hasher.work == wrong == 1


async def test_password_is_unicode_normalised(people: People) -> None:
    await people.accounts.create("Ana", "caf\u00e9")
    assert await people.accounts.check_password("Ana", "cafe\u0301") is not None


async def test_old_hash_is_upgraded_at_login(engine: AsyncEngine) -> None:
    await people_of(engine, FakeClock(), Passwords(QUICK)).accounts.create("Ana", "password")
    stronger = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    people = people_of(engine, FakeClock(), Passwords(stronger))
    assert await people.accounts.check_password("Ana", "password") is not None
    async with engine.connect() as connection:
        (stored,) = (await connection.execute(select(accounts.c.password_hash))).one()
    assert stored.startswith("$argon2id$v=19$m=16,t=2,p=1$")
    assert await people.accounts.check_password("Ana", "password") is not None


async def test_default_hash_parameters_are_strong() -> None:
    stored = await Passwords().hash("password")
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


# --- sessions -------------------------------------------------------------------------------------


async def test_session_is_valid_until_it_is_closed(people: People) -> None:
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


async def test_changing_the_password_ends_all_sessions(people: People) -> None:
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


async def test_session_expires(people: People, clock: FakeClock, engine: AsyncEngine) -> None:
    ana = await people.accounts.create("Ana", "password")
    old = await people.accounts.open_session(ana.id)
    clock.ms += SESSION_MS - 1
    assert await people.accounts.session_account(old) == ana
    clock.ms += 1
    assert await people.accounts.session_account(old) is None
    await people.accounts.open_session(ana.id)
    async with engine.connect() as connection:
        rows = (await connection.execute(select(sessions.c.token_hash))).all()
    assert hashed(old) not in [row.token_hash for row in rows], "the row is deleted, too"


# --- seats ----------------------------------------------------------------------------------------


async def test_seat_token_resolves_to_its_player(store: Store, people: People) -> None:
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


async def test_tokens_are_random_and_stored_as_hashes(
    store: Store, people: People, engine: AsyncEngine
) -> None:
    await store.log.create("t", [], META)
    ana = await people.accounts.create("Ana", "password")
    tokens = [await people.seats.issue_token("t", "p") for _ in range(5)]
    recovery = await people.seats.issue_recovery(tokens[0])
    assert recovery is not None
    tokens += [recovery, await people.accounts.open_session(ana.id)]
    assert len(set(tokens)) == 7
    assert {len(token) for token in tokens} == {22}  # 128 bits, six per character
    stored = await everything(engine)
    assert not [token for token in tokens if token in stored]
    async with engine.connect() as connection:
        rows = (await connection.execute(select(seat_tokens.c.token_hash))).all()
    assert {row.token_hash for row in rows} == {hashed(token) for token in tokens[:-1]}


async def test_a_recovery_link_expires(
    store: Store, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.log.create("t", [], META)
    now = [1_000_000]
    monkeypatch.setattr(people.seats, "_now", lambda: now[0])
    link = await people.seats.issue_recovery(await people.seats.issue_token("t", "p", "Ana"))
    assert link is not None
    now[0] += RECOVERY_MS - 1
    assert await people.seats.recover(link) is not None
    now[0] += 1
    assert await people.seats.recover(link) is None


async def test_recovery_link_gives_a_seat_to_another_device(store: Store, people: People) -> None:
    await store.log.create("t", [], META)
    token = await people.seats.issue_token("t", "p", "Ana")
    link = await people.seats.issue_recovery(token)
    assert link is not None
    assert await people.seats.resolve(link) is None, "a recovery token is not a seat token"
    devices = []
    for _ in range(3):
        found = await people.seats.recover(link)
        assert found is not None
        assert found[0] == Player("p", "t", "Ana", None)
        devices.append(found[1])
    assert len({token, link, *devices}) == 5
    for device in devices:
        assert await people.seats.resolve(device) == Player("p", "t", "Ana", None)
    assert await people.seats.recover(token) is None, "a seat token is not a recovery token"
    assert await people.seats.issue_recovery(link) is None
    assert await people.seats.issue_recovery("guess") is None


async def test_concurrent_lookups_resolve_to_the_right_players(
    store: Store, people: People
) -> None:
    await store.log.create("t", [], META)
    tokens = [await people.seats.issue_token("t", f"p{index}", "Ana") for index in range(30)]
    link = await people.seats.issue_recovery(tokens[0])
    assert link is not None
    found = await asyncio.gather(
        *(people.seats.resolve(token) for token in [*tokens, "guess", link])
    )
    named = [player and player.id for player in found]
    assert named == [*(f"p{index}" for index in range(30)), None, None]


async def test_500_concurrent_lookups_of_seats_and_sessions_are_answered(
    store: Store, people: People
) -> None:
    """After a restart all clients ask at once, for far fewer connections to the database."""
    await store.log.create("t", [], META)
    token = await people.seats.issue_token("t", "p", "Ana")
    account = await people.accounts.create("Ana", "password")
    session = await people.accounts.open_session(account.id)
    guesses = [f"guess {number}" for number in range(499)]
    seats = await asyncio.gather(*(people.seats.resolve(each) for each in [*guesses, token]))
    assert seats == [*[None] * 499, Player("p", "t", "Ana", None)]
    owners = await asyncio.gather(*(people.accounts.session_account(session) for _ in range(500)))
    assert owners == [account] * 500


async def test_player_can_have_seats_at_two_tables(store: Store, people: People) -> None:
    for table in ("t", "u"):
        await store.log.create(table, [], META)
    tokens = [await people.seats.issue_token(table, "p", "Ana") for table in ("t", "u")]
    found = [await people.seats.resolve(token) for token in tokens]
    assert [player and player.table for player in found] == ["t", "u"]


async def test_account_claims_seats_by_token(store: Store, people: People) -> None:
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


async def test_seat_taken_by_an_account_belongs_to_it(store: Store, people: People) -> None:
    await store.log.create("t", [], META)
    ana, bo = [await people.accounts.create(name, "password") for name in ("Ana", "Bo")]
    await people.seats.issue_token("t", "p", "Guest")
    await people.seats.issue_token("t", "p", "Ana", ana.id)
    await people.seats.issue_token("t", "p", "Bo", bo.id)
    assert await people.seats.players("t") == {"p": Player("p", "t", "Guest", ana.id)}
    with pytest.raises(NoSuchAccount):
        await people.seats.issue_token("t", "q", "Nobody", "nobody")


async def test_all_seats_of_an_account_are_found_a_page_at_a_time(
    store: Store, people: People, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "SEATS_READ", 2)
    ana = await people.accounts.create("Ana", "password")
    wanted = set()
    for number in range(5):
        slug = f"t{9 - number}"
        await store.log.create(slug, [b"x"], META)
        clock.ms += number % 2  # some at the same time
        await people.seats.issue_token(slug, "p", "Ana", ana.id)
        await people.seats.issue_token(slug, "other", "Bo")
        wanted.add((slug, "p"))
        found = await people.seats.seats_of(ana.id)
        assert (set(found), len(found)) == (wanted, number + 1)
    assert await people.seats.seats_of("nobody") == []


async def test_games_of_account_and_tokens_are_listed(
    store: Store, people: People, clock: FakeClock
) -> None:
    ana = await people.accounts.create("Ana", "password")
    tokens = {}
    for number, table in enumerate(("t", "u", "v", "w")):
        await store.log.create(table, [b"x"] * number, TableMeta("genial", 2, {"a": number}))
        clock.ms += 1
        tokens[table] = await people.seats.issue_token(table, f"p{table}")
    await store.log.set_summary("u", Status.OVER, None)
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


# --- revoked seats --------------------------------------------------------------------------------


async def test_revoke_only_affects_seats_of_accounts(store: Store, people: People) -> None:
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
    """Return the players of these seat tokens."""
    found = [await people.seats.resolve(token) for token in tokens]
    return [player.id if player else None for player in found]


async def test_changing_the_password_revokes_seat_and_recovery_tokens(
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


async def test_account_claims_one_seat_per_table_and_its_rematches(
    store: Store, people: People
) -> None:
    """On a shared device the other seats are other people's; a rematch has the same players."""
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


async def test_account_claims_one_of_two_players_at_a_table(store: Store, people: People) -> None:
    """A browser shared by two people may hold a seat of each at different tables."""
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


async def test_concurrent_logins_succeed_during_a_hash_upgrade(people: People) -> None:
    await people.accounts.create("Ana", "password")
    people.accounts._passwords = Passwords(
        PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    )
    found = await asyncio.gather(*[people.accounts.log_in("Ana", "password") for _ in range(4)])
    assert None not in found


async def test_login_opens_a_session(people: People) -> None:
    ana = await people.accounts.create("Ana", "password")
    found = await people.accounts.log_in(" ana", "password")
    assert found is not None
    assert found[0] == ana
    assert await people.accounts.session_account(found[1]) == ana
    assert await people.accounts.log_in("Ana", "wrong") is None
    assert await people.accounts.log_in("Bo", "password") is None


@pytest.mark.parametrize("is_old_hash", [True, False])
async def test_login_fails_if_the_password_changes_during_the_check(
    people: People, monkeypatch: pytest.MonkeyPatch, is_old_hash: bool
) -> None:
    """The old password opens no session, and rehashing does not bring it back."""
    ana = await people.accounts.create("Ana", "the first one")
    check = people.accounts._passwords.check

    async def slow(stored: str | None, password: str) -> tuple[bool, str | None]:
        fits, _ = await check(stored, password)
        monkeypatch.setattr(people.accounts._passwords, "check", check)
        await people.accounts.change_password(ana.id, "the second one")
        better = await people.accounts._passwords.hash(password) if is_old_hash else None
        return fits, better

    monkeypatch.setattr(people.accounts._passwords, "check", slow)
    assert await people.accounts.log_in("Ana", "the first one") is None
    assert await people.accounts.check_password("Ana", "the first one") is None
    assert await people.accounts.check_password("Ana", "the second one") == ana
