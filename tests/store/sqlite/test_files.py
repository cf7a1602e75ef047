"""The database file: one server at a time, and the truth about damage."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tuilerie.store import open_store
from tuilerie.store.database import FILE_NAME, PostgresUrl, SqliteFile
from tuilerie.store.errors import Damaged, StoreError, Unavailable
from tuilerie.store.log import TableMeta
from tuilerie.store.maintenance.verify import page_faults
from tuilerie.store.sqlite.files import create_file, exclusive


def test_second_server_on_a_folder_is_refused(tmp_path: Path) -> None:
    database = SqliteFile(tmp_path / "new" / FILE_NAME)
    with exclusive(database):
        message = rf"another server \(process {os.getpid()}\) is using .*{FILE_NAME}: stop it first"
        with pytest.raises(Unavailable, match=message), exclusive(database):
            pytest.fail("two servers have the lock")
        with exclusive(SqliteFile(tmp_path / "other" / FILE_NAME)):
            pass
    with exclusive(database):  # it ends with its holder
        pass


def test_lock_in_an_unwritable_place_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with (
        pytest.raises(StoreError, match="cannot be written"),
        exclusive(SqliteFile(tmp_path / "file" / FILE_NAME)),
    ):
        pytest.fail("there is no such folder")


def test_postgresql_needs_no_lock() -> None:
    nowhere = PostgresUrl("postgresql://127.0.0.1:1/x")
    with exclusive(nowhere), exclusive(nowhere):
        pass


async def test_truncated_file_is_not_a_new_database(tmp_path: Path) -> None:
    async with await open_store(tmp_path) as store:
        await store.log.create("t", [b"1"], TableMeta("genial", 1))
    (tmp_path / FILE_NAME).write_bytes(b"")
    for migrate in (True, False):
        with pytest.raises(Damaged, match="is empty, so it was truncated: restore a backup"):
            await open_store(tmp_path, migrate=migrate)
    assert (tmp_path / FILE_NAME).stat().st_size == 0, "it is left as it was"


def test_new_file_appears_with_its_header_and_keeps_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a" / FILE_NAME
    create_file(path)
    assert path.read_bytes()[:6] == b"SQLite"
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(b"mine")
    create_file(path)
    assert path.read_bytes() == b"mine"
    assert [each.name for each in path.parent.iterdir()] == [FILE_NAME]


async def test_damaged_page_is_found(tmp_path: Path) -> None:
    async with await open_store(tmp_path) as store:
        await store.log.create("t", [b"x" * 1000] * 200, TableMeta("genial", 1))
    assert await page_faults(tmp_path) == []
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    content = bytearray(whole)
    content[-40_960:-4096] = b"\xff" * 36_864
    path.write_bytes(content)
    assert await page_faults(tmp_path)
    content = bytearray(whole)
    content[36:40] = (5).to_bytes(4, "big")  # free pages, in the header: SQLite lists it
    path.write_bytes(content)
    assert "freelist" in str(await page_faults(tmp_path)).lower()
    path.write_bytes(b"no database" * 1000)
    (fault,) = await page_faults(tmp_path)
    assert "not a database" in fault
    assert await page_faults(tmp_path / "nowhere") == []
