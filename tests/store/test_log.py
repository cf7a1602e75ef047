"""What every log does, wherever it is kept."""

from __future__ import annotations

import asyncio
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


async def test_a_table_begins_with_its_first_facts(log: Log) -> None:
    await log.create("t", bodies(1, 3), META)
    assert await log.read("t") == numbered(1, 3)
    assert await log.heads(["t"]) == {"t": 3}


async def test_a_table_may_begin_without_a_fact(log: Log) -> None:
    await log.create("t", [], META)
    assert await log.read("t") == []
    assert await log.heads(["t"]) == {"t": 0}
    assert await log.append("t", 0, [body(1)]) == Appended(1, 1)


async def test_a_table_is_created_once(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    with pytest.raises(TableExists):
        await log.create("t", bodies(1, 2), META)
    assert await log.read("t") == numbered(1, 1)


async def test_of_many_who_create_the_same_table_one_does(log: Log) -> None:
    async def create(number: int) -> bool:
        try:
            await log.create("t", [body(number)], META)
        except TableExists:
            return False
        return True

    made = await asyncio.gather(*map(create, range(20)))
    assert made.count(True) == 1
    assert await log.read("t") == [(1, body(made.index(True)))]


async def test_facts_are_read_after_a_number_and_up_to_a_limit(log: Log) -> None:
    await log.create("t", bodies(1, 9), META)
    assert await log.read("t", after=6) == numbered(7, 9)
    assert await log.read("t", after=2, limit=3) == numbered(3, 5)
    assert await log.read("t", limit=0) == []
    assert await log.read("t", after=9) == []
    assert await log.read("t", after=100) == []


async def test_a_table_that_does_not_exist(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    assert await log.read("nowhere") == []
    assert await log.heads(["nowhere", "t"]) == {"t": 1}
    assert await log.heads([]) == {}
    assert await log.table("nowhere") is None
    with pytest.raises(NoSuchTable) as refused:
        await log.append("nowhere", 0, [body(1)])
    assert refused.value.table == "nowhere"
    with pytest.raises(NoSuchTable):
        await log.set_status("nowhere", Status.OVER)


async def test_bytes_come_back_as_they_were(log: Log) -> None:
    facts = [bytes(range(256)), b"", b"\x00" * 3, b"x" * 1_000_000]
    await log.create("t", facts, META)
    await log.append("t", 4, facts)
    assert [each for _, each in await log.read("t")] == facts + facts


async def test_names_of_tables_are_only_text(log: Log) -> None:
    names = ["'; DROP TABLE facts; --", "é%_\\", '["a"]', "A", "a"]
    for name in names:
        await log.create(name, [name.encode()], META)
        assert await log.append(name, 1, [b"2"], "'\"[") == Appended(2, 2)
    for name in names:
        assert await log.read(name) == [(1, name.encode()), (2, b"2")]
    assert await log.heads(names) == dict.fromkeys(names, 2)


@pytest.mark.parametrize("name", ["", "a\x00b", "\ud800", "a\nb", "x" * 201, "x" * 100_000])
async def test_a_name_that_cannot_be_is_that_of_no_table(log: Log, name: str) -> None:
    with pytest.raises(ValueError, match="name of a table"):
        await log.create(name, [], META)
    with pytest.raises(NoSuchTable):
        await log.append(name, 0, [b"x"])
    with pytest.raises(NoSuchTable):
        await log.set_status(name, Status.OVER)
    assert await log.read(name) == []
    assert await log.heads([name]) == {}
    assert await log.table(name) is None
    await log.create("t", [], META)
    with pytest.raises(ValueError, match="key of a command"):
        await log.append("t", 0, [b"x"], name)


# --- appending ------------------------------------------------------------------------------------


async def test_appended_facts_get_the_next_numbers(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    assert await log.append("t", 1, bodies(2, 4)) == Appended(2, 4)
    assert await log.append("t", 4, bodies(5, 5)) == Appended(5, 5)
    assert await log.read("t") == numbered(1, 5)


@pytest.mark.parametrize("after", [0, 1, 2, 4, 9, 2**31 - 2])
async def test_only_the_next_number_can_be_written(log: Log, after: int) -> None:
    await log.create("t", bodies(1, 3), META)
    assert await log.append("t", after, [b"x", b"y"]) == Conflict(3)
    assert await log.read("t") == numbered(1, 3)


@pytest.mark.parametrize(("after", "facts"), [(0, []), (-1, [b"x"])])
async def test_an_append_that_means_nothing_is_a_mistake(
    log: Log, after: int, facts: list[bytes]
) -> None:
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


async def test_of_all_who_want_the_same_number_exactly_one_is_first(log: Log) -> None:
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


async def test_writers_who_race_leave_no_gap_and_lose_nothing(log: Log) -> None:
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


async def test_an_append_of_two_is_not_half_done_when_the_first_is_taken(log: Log) -> None:
    await log.create("t", [], META)
    answers = await asyncio.gather(
        log.append("t", 0, [b"a"]), log.append("t", 0, [b"b", b"c"]), log.append("t", 0, [b"d"])
    )
    facts = [each for _, each in await log.read("t")]
    assert facts in ([b"a"], [b"b", b"c"], [b"d"])
    assert sum(isinstance(answer, Appended) for answer in answers) == 1


# --- keys of commands -----------------------------------------------------------------------------


async def test_a_repeated_key_gets_the_first_numbers_again(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    assert await log.append("t", 1, bodies(2, 3), "k") == Appended(2, 3)
    await log.append("t", 3, bodies(4, 4), "other")
    repeated = Appended(2, 3, repeated=True)
    for after in (1, 0, 4, 2**31 - 2):
        assert await log.append("t", after, [b"whatever"], "k") == repeated
    assert await log.append("t", 1, [b"whatever"], "unknown") == Conflict(4)
    assert await log.read("t") == numbered(1, 4)


async def test_find_by_key_tells_what_was_appended(log: Log) -> None:
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
    with pytest.raises(ValueError, match="key of a command"):
        await log.find_by_key("t", "")


async def test_find_by_key_sees_what_was_asked_to_be_appended_before(log: Log) -> None:
    """Whoever asked for it did not wait for the answer: it is added or not, and stays so."""
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


async def test_a_key_is_one_tables_own(log: Log) -> None:
    for table in ("t", "u"):
        await log.create(table, [], META)
        assert await log.append(table, 0, [b"x"], "k") == Appended(1, 1)


async def test_a_key_that_lost_the_race_can_be_used_again(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    assert await log.append("t", 0, [b"x"], "k") == Conflict(1)
    assert await log.append("t", 1, bodies(2, 2), "k") == Appended(2, 2)


async def test_a_key_that_is_sent_many_times_at_once_counts_once(log: Log) -> None:
    await log.create("t", [], META)
    sent = [log.append("t", 0, bodies(1, 2), "k") for _ in range(20)]
    answers = await asyncio.gather(*sent)
    assert answers.count(Appended(1, 2)) == 1
    assert answers.count(Appended(1, 2, repeated=True)) == 19
    assert await log.read("t") == numbered(1, 2)


# --- lists of tables ------------------------------------------------------------------------------


async def test_a_table_is_listed_with_all_that_was_said_of_it(log: Log) -> None:
    await log.create("t", bodies(1, 2), TableMeta("genial", 3, {"é": [1, None]}, public=True))
    row = await log.table("t")
    assert row is not None
    assert (row.table, row.game, row.rules) == ("t", "genial", 3)
    assert row.options == {"é": [1, None]}
    assert (row.public, row.status, row.head) == (True, Status.OPEN, 2)
    assert row.created <= row.updated
    assert await log.tables() == [row]


async def test_set_status_changes_what_is_listed(log: Log) -> None:
    await log.create("t", bodies(1, 1), META)
    await log.set_status("t", Status.PLAYING)
    row = await log.table("t")
    assert row is not None
    assert (row.status, row.public, row.options, row.rules) == ("playing", False, META.options, 3)


async def test_a_table_is_as_new_as_its_last_fact(log: Log) -> None:
    await log.create("t", [], META)
    before = await log.table("t")
    await asyncio.sleep(0.005)
    await log.append("t", 0, bodies(1, 1))
    after = await log.table("t")
    assert before is not None
    assert after is not None
    assert after.updated > before.updated
    assert after.created == before.created


async def test_tables_are_found_by_game_status_and_whether_they_are_public(log: Log) -> None:
    for game in ("genial", "kaosmos"):
        for status in (Status.OPEN, Status.PLAYING, Status.OVER):
            for public in (False, True):
                meta = TableMeta(game, 1, public=public, status=status)
                await log.create(f"{game} {status} {public}", [], meta)
    assert len(await log.tables()) == 12
    assert len(await log.tables(game="genial")) == 6
    assert len(await log.tables(status=[Status.OPEN, Status.OVER])) == 8
    assert await log.tables(status=[]) == []
    found = await log.tables(game="kaosmos", status=[Status.PLAYING], public=True)
    assert [row.table for row in found] == ["kaosmos playing True"]
    assert {row.public for row in await log.tables(public=False)} == {False}


async def test_tables_come_newest_first_page_by_page(log: Log) -> None:
    for number in range(25):  # several in the same millisecond
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


# --- size, and the end ----------------------------------------------------------------------------


async def test_a_long_log_is_read_whole_and_in_order(log: Log) -> None:
    await log.create("t", bodies(1, 3000), META)
    assert await log.append("t", 3000, bodies(3001, 5000)) == Appended(3001, 5000)
    assert await log.read("t") == numbered(1, 5000)
    assert await log.read("t", after=4990) == numbered(4991, 5000)


async def test_more_appends_at_once_than_one_batch_holds(log: Log) -> None:
    names = [f"t{number}" for number in range(700)]
    await asyncio.gather(*(log.create(name, [], META) for name in names))
    answers = await asyncio.gather(*(log.append(name, 0, [b"x"]) for name in names))
    assert answers == [Appended(1, 1)] * 700
    assert await log.heads(names) == dict.fromkeys(names, 1)


async def test_a_caller_who_is_cancelled_disturbs_nobody(log: Log) -> None:
    await log.create("t", [], META)
    await log.create("u", [], META)
    gone = asyncio.create_task(log.append("t", 0, [b"x"]))
    stays = asyncio.create_task(log.append("u", 0, [b"x"]))
    await asyncio.sleep(0)
    gone.cancel()
    assert await stays == Appended(1, 1)
    assert await log.read("t") in ([], [(1, b"x")])


async def test_what_was_asked_for_is_done_before_it_closes(log: Log) -> None:
    await log.create("t", [], META)
    asked = asyncio.create_task(log.append("t", 0, [b"x"]))
    await asyncio.sleep(0)
    await log.close()
    assert await asked == Appended(1, 1)
    await log.close()
    for refused in (log.append("t", 1, [b"y"]), log.read("t"), log.create("u", [], META)):
        with pytest.raises(Unavailable, match="closed"):
            await refused
