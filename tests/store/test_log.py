"""The log interface, tested on every implementation."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import NamedTuple

import pytest

from tuilerie.store.errors import NoSuchTable, TableExists, Unavailable
from tuilerie.store.log import Appended, Conflict, Log, Status, TableMeta

META = TableMeta("genial", 3, {"players": 2, "é": [1, None]})


def body(number: int) -> bytes:
    return f'{{"kind":"é","n":{number}}}'.encode()


def bodies(first: int, last: int) -> list[bytes]:
    return [body(number) for number in range(first, last + 1)]


def numbered(first: int, last: int) -> list[tuple[int, bytes]]:
    return [(number, body(number)) for number in range(first, last + 1)]


# --- creating and reading -------------------------------------------------------------------------


async def test_create_stores_the_first_facts(log: Log) -> None:
    await log.create("t", bodies(1, 3), META)
    assert await log.read("t") == numbered(1, 3)
    assert await log.heads(["t"]) == {"t": 3}


async def test_table_can_be_created_empty(log: Log) -> None:
    await log.create("t", [], META)
    assert await log.read("t") == []
    assert await log.heads(["t"]) == {"t": 0}
    assert await log.append("t", 0, [body(1)]) == Appended(1, 1)


async def test_creating_a_table_twice_raises(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    with pytest.raises(TableExists):
        await log.create("t", bodies(1, 2), META)
    assert await log.read("t") == numbered(1, 1)


async def test_concurrent_creations_have_one_winner(log: Log) -> None:
    async def create(number: int) -> bool:
        try:
            await log.create("t", [body(number)], META)
        except TableExists:
            return False
        return True

    made = await asyncio.gather(*map(create, range(20)))
    assert made.count(True) == 1
    assert await log.read("t") == [(1, body(made.index(True)))]


async def test_read_honours_after_and_limit(log: Log) -> None:
    await log.create("t", bodies(1, 9), META)
    assert await log.read("t", after=6) == numbered(7, 9)
    assert await log.read("t", after=2, limit=3) == numbered(3, 5)
    assert await log.read("t", limit=0) == []
    assert await log.read("t", after=9) == []
    assert await log.read("t", after=100) == []


async def test_missing_table(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    assert await log.read("nowhere") == []
    assert await log.heads(["nowhere", "t"]) == {"t": 1}
    assert await log.heads([]) == {}
    assert await log.table("nowhere") is None
    with pytest.raises(NoSuchTable) as refused:
        await log.append("nowhere", 0, [body(1)])
    assert refused.value.table == "nowhere"
    with pytest.raises(NoSuchTable):
        await log.set_summary("nowhere", Status.OVER, None)


async def test_bytes_are_stored_unchanged(log: Log) -> None:
    facts = [bytes(range(256)), b"", b"\x00" * 3, b"x" * 1_000_000]
    await log.create("t", facts, META)
    await log.append("t", 4, facts)
    assert [each for _, each in await log.read("t")] == facts + facts


async def test_table_names_are_not_interpreted(log: Log) -> None:
    names = ["'; DROP TABLE facts; --", "é%_\\", '["a"]', "A", "a"]
    for name in names:
        await log.create(name, [name.encode()], META)
        assert await log.append(name, 1, [b"2"], "'\"[") == Appended(2, 2)
    for name in names:
        assert await log.read(name) == [(1, name.encode()), (2, b"2")]
    assert await log.heads(names) == dict.fromkeys(names, 2)


async def test_invalid_name_is_a_missing_table(log: Log) -> None:
    await log.create("t", [], META)
    for name in ("", "a\x00b", "\ud800", "a\nb", "x" * 201, "x" * 100_000):
        with pytest.raises(ValueError, match="invalid table name"):
            await log.create(name, [], META)
        with pytest.raises(NoSuchTable):
            await log.append(name, 0, [b"x"])
        with pytest.raises(NoSuchTable):
            await log.set_summary(name, Status.OVER, None)
        assert await log.read(name) == []
        assert await log.heads([name]) == {}
        assert await log.table(name) is None
        with pytest.raises(ValueError, match="invalid command key"):
            await log.append("t", 0, [b"x"], name)


# --- appending ------------------------------------------------------------------------------------


async def test_appended_facts_get_the_next_numbers(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    assert await log.append("t", 1, bodies(2, 4)) == Appended(2, 4)
    assert await log.append("t", 4, bodies(5, 5)) == Appended(5, 5)
    assert await log.read("t") == numbered(1, 5)


async def test_only_the_next_number_can_be_written(log: Log) -> None:
    await log.create("t", bodies(1, 3), META)
    for after in (0, 1, 2, 4, 9, 2**31 - 2):
        assert await log.append("t", after, [b"x", b"y"]) == Conflict(3), after
        assert await log.read("t") == numbered(1, 3), after


@pytest.mark.parametrize(("after", "facts"), [(0, []), (-1, [b"x"])])
async def test_invalid_append_raises_value_error(log: Log, after: int, facts: list[bytes]) -> None:
    await log.create("t", [], META)
    with pytest.raises(ValueError, match=r"nothing to append|no fact"):
        await log.append("t", after, facts)


async def test_tables_do_not_mix(log: Log) -> None:
    names = [f"t{number}" for number in range(30)]

    async def play(name: str) -> None:
        await log.create(name, [], META)
        for number in range(1, 8):
            assert await log.append(name, number - 1, [f"{name} {number}".encode()])

    await asyncio.gather(*map(play, names))
    for name in names:
        facts = [(number, f"{name} {number}".encode()) for number in range(1, 8)]
        assert await log.read(name) == facts
    assert await log.heads(names) == dict.fromkeys(names, 7)


class Try(NamedTuple):
    writer: int
    answer: Appended | Conflict


async def test_concurrent_appends_of_a_number_have_one_winner(log: Log) -> None:
    await log.create("t", [], META)
    rounds, writers = 12, 25
    for number in range(rounds):

        async def write(writer: int, after: int = 2 * number) -> Try:
            facts = [f"{writer} {after} {each}".encode() for each in (1, 2)]
            return Try(writer, await log.append("t", after, facts))

        tries = await asyncio.gather(*map(write, range(writers)))
        won = [each for each in tries if isinstance(each.answer, Appended)]
        lost = [each.answer for each in tries if each not in won]
        assert [each.answer for each in won] == [Appended(2 * number + 1, 2 * number + 2)]
        assert lost == [Conflict(2 * number + 2)] * (writers - 1)
        winner = won[0].writer
        expected = [f"{winner} {2 * number} {each}".encode() for each in (1, 2)]
        assert [each for _, each in await log.read("t", after=2 * number)] == expected


async def test_racing_writers_leave_no_gap_and_lose_nothing(log: Log) -> None:
    await log.create("t", [], META)
    given: dict[int, bytes] = {}

    async def write(writer: int) -> None:
        head, done = 0, 0
        while done < 5:
            facts = [f"{writer}/{done}/{each}".encode() for each in range(1 + done % 3)]
            answer = await log.append("t", head, facts)
            if isinstance(answer, Conflict):
                assert answer.head > head
                head = answer.head
                continue
            given.update(zip(range(answer.first, answer.last + 1), facts, strict=True))
            head, done = answer.last, done + 1

    await asyncio.gather(*map(write, range(12)))
    assert await log.read("t") == sorted(given.items())
    assert sorted(given) == list(range(1, 12 * 9 + 1))


async def test_conflicting_append_of_two_adds_nothing(log: Log) -> None:
    await log.create("t", [], META)
    answers = await asyncio.gather(
        log.append("t", 0, [b"a"]), log.append("t", 0, [b"b", b"c"]), log.append("t", 0, [b"d"])
    )
    facts = [each for _, each in await log.read("t")]
    assert facts in ([b"a"], [b"b", b"c"], [b"d"])
    assert sum(isinstance(answer, Appended) for answer in answers) == 1


# --- command keys ---------------------------------------------------------------------------------


async def test_repeated_key_returns_the_first_numbers(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    assert await log.append("t", 1, bodies(2, 3), "k") == Appended(2, 3)
    await log.append("t", 3, bodies(4, 4), "other")
    repeated = Appended(2, 3, repeated=True)
    for after in (1, 0, 4, 2**31 - 2):
        assert await log.append("t", after, [b"whatever"], "k") == repeated
    assert await log.append("t", 1, [b"whatever"], "unknown") == Conflict(4)
    assert await log.read("t") == numbered(1, 4)


async def test_find_by_key_returns_what_was_appended(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    await log.create("u", bodies(1, 1), META)
    assert await log.find_by_key("t", "k") is None
    await log.append("t", 1, bodies(2, 3), "k")
    await log.append("t", 3, bodies(4, 4))
    assert await log.append("t", 1, [b"x"], "lost") == Conflict(4)
    assert await log.find_by_key("t", "k") == Appended(2, 3, repeated=True)
    assert await log.find_by_key("t", "lost") is None
    assert await log.find_by_key("u", "k") is None
    assert await log.read("t") == numbered(1, 4)
    for nowhere in ("nowhere", "", "a\x00b"):
        with pytest.raises(NoSuchTable):
            await log.find_by_key(nowhere, "k")
    with pytest.raises(ValueError, match="invalid command key"):
        await log.find_by_key("t", "")


async def test_find_by_key_runs_after_earlier_appends(log: Log) -> None:
    """The caller was cancelled before the answer: the append is settled, either way."""
    await log.create("t", [], META)
    head = 0
    for number in range(10):
        append = asyncio.create_task(log.append("t", head, [b"x"], f"k{number}"))
        await asyncio.sleep(0)
        append.cancel()
        found = await log.find_by_key("t", f"k{number}")
        now = (await log.heads(["t"]))["t"]
        assert found == (None if now == head else Appended(head + 1, now, repeated=True))
        head = now


async def test_key_is_scoped_to_its_table(log: Log) -> None:
    for table in ("t", "u"):
        await log.create(table, [], META)
        assert await log.append(table, 0, [b"x"], "k") == Appended(1, 1)


async def test_key_of_a_conflicting_append_can_be_reused(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    assert await log.append("t", 0, [b"x"], "k") == Conflict(1)
    assert await log.append("t", 1, bodies(2, 2), "k") == Appended(2, 2)


async def test_concurrent_appends_with_one_key_count_once(log: Log) -> None:
    await log.create("t", [], META)
    sent = [log.append("t", 0, bodies(1, 2), "k") for _ in range(20)]
    answers = await asyncio.gather(*sent)
    assert answers.count(Appended(1, 2)) == 1
    assert answers.count(Appended(1, 2, repeated=True)) == 19
    assert await log.read("t") == numbered(1, 2)


# --- lists of tables ------------------------------------------------------------------------------


async def test_table_is_listed_with_its_metadata(log: Log) -> None:
    await log.create("t", bodies(1, 2), TableMeta("genial", 3, {"é": [1, None]}, public=True))
    row = await log.table("t")
    assert row is not None
    assert (row.table, row.game, row.rules) == ("t", "genial", 3)
    assert row.options == {"é": [1, None]}
    assert (row.public, row.status, row.head) == (True, Status.OPEN, 2)
    assert row.created <= row.updated
    assert await log.tables() == [row]


async def test_set_summary_changes_what_lists_show(log: Log) -> None:
    await log.create("t", bodies(1, 1), replace(META, summary={"names": ["Zoë"]}))
    row = await log.table("t")
    assert row is not None
    assert row.summary == {"names": ["Zoë"]}
    await log.set_summary("t", Status.PLAYING, {"names": ["Zoë", "日本"]})
    row = await log.table("t")
    assert row is not None
    assert (row.status, row.public, row.options, row.rules) == ("playing", False, META.options, 3)
    assert row.summary == {"names": ["Zoë", "日本"]}
    await log.set_summary("t", Status.OVER, None)
    assert [(row.status, row.summary) for row in await log.tables()] == [(Status.OVER, None)]


async def test_tables_are_due_by_wake_up_time(log: Log) -> None:
    for name, wake in {"late": 30, "never": None, "early": 10, "middle": 20}.items():
        await log.create(name, [], replace(META, wake=wake))
    assert await log.due(9, 10) == []
    assert await log.due(29, 10) == [("early", 10), ("middle", 20)]
    assert await log.due(100, 2) == [("early", 10), ("middle", 20)]
    await log.set_wakes({"early": None, "never": 5, "middle": 40, "nowhere": 1})
    await log.set_wakes({})
    assert await log.due(100, 10) == [("never", 5), ("late", 30), ("middle", 40)]
    row = await log.table("middle")
    assert row is not None
    assert row.wake == 40


async def test_append_updates_the_table_time(log: Log) -> None:
    await log.create("t", [], META)
    before = await log.table("t")
    await asyncio.sleep(0.005)
    await log.append("t", 0, bodies(1, 1))
    after = await log.table("t")
    assert before is not None
    assert after is not None
    assert after.updated > before.updated
    assert after.created == before.created


async def test_tables_are_filtered_by_status_and_visibility(log: Log) -> None:
    for status in Status:
        for public in (False, True):
            meta = TableMeta("genial", 1, public=public, status=status)
            await log.create(f"{status} {public}", [], meta)
    assert len(await log.tables()) == 2 * len(Status)
    assert {row.table for row in await log.tables(status=Status.OPEN)} == {
        "open False",
        "open True",
    }
    found = await log.tables(status=Status.PLAYING, public=True)
    assert [row.table for row in found] == ["playing True"]
    found = await log.tables(status=Status.OPEN, public=True)
    assert [row.table for row in found] == ["open True"]
    assert {row.public for row in await log.tables(public=False)} == {False}


async def test_tables_are_paged_newest_first(log: Log) -> None:
    for number in range(25):  # several per millisecond
        await log.create(f"t{number}", [], META)
    everything = await log.tables()
    ages = [(row.created, row.table) for row in everything]
    assert len(ages) == 25
    assert [created for created, _ in ages] == sorted((each for each, _ in ages), reverse=True)
    pages, last = [], None
    while page := await log.tables(before=last, limit=10):
        pages += page
        last = page[-1]
    assert pages == everything


# --- size and closing -----------------------------------------------------------------------------


async def test_long_log_is_read_in_order(log: Log) -> None:
    await log.create("t", bodies(1, 3000), META)
    assert await log.append("t", 3000, bodies(3001, 5000)) == Appended(3001, 5000)
    assert await log.read("t") == numbered(1, 5000)
    assert await log.read("t", after=4990) == numbered(4991, 5000)


async def test_more_concurrent_appends_than_a_batch_holds(log: Log) -> None:
    names = [f"t{number}" for number in range(700)]
    await asyncio.gather(*(log.create(name, [], META) for name in names))
    answers = await asyncio.gather(*(log.append(name, 0, [b"x"]) for name in names))
    assert answers == [Appended(1, 1)] * 700
    assert await log.heads(names) == dict.fromkeys(names, 1)


async def test_cancelled_caller_does_not_affect_others(log: Log) -> None:
    await log.create("t", [], META)
    await log.create("u", [], META)
    gone = asyncio.create_task(log.append("t", 0, [b"x"]))
    stays = asyncio.create_task(log.append("u", 0, [b"x"]))
    await asyncio.sleep(0)
    gone.cancel()
    assert await stays == Appended(1, 1)
    assert await log.read("t") in ([], [(1, b"x")])


async def test_close_finishes_pending_appends(log: Log) -> None:
    await log.create("t", [], META)
    asked = asyncio.create_task(log.append("t", 0, [b"x"]))
    await asyncio.sleep(0)
    await log.close()
    assert await asked == Appended(1, 1)
    await log.close()
    for refused in (log.append("t", 1, [b"y"]), log.read("t"), log.create("u", [], META)):
        with pytest.raises(Unavailable, match="closed"):
            await refused
