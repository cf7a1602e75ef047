# ruff: noqa: E501
"""Faults in what is stored, in clocks, processes and nodes, and in what the host does."""

from __future__ import annotations

from tests.breakages.breakage import ADMIN, BOTS, FILES, PURGE, UPKEEP, WORKERS, Breakage

DATA = (
    Breakage(
        "everybody reads the database's file",
        "store/sqlite/files.py",
        "os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600",
        "os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644",
        ("store/sqlite/test_log.py::test_folder_and_file_are_private",),
    ),
    Breakage(
        "moves are acknowledged before they are durable",
        "server/tables/actor.py",
        "                answer = await self._store.append(self.slug, self.number, data, key)\n",
        '                late = self._store.append(self.slug, self.number, data, key)\n                asyncio.get_running_loop().call_later(0.5, asyncio.ensure_future, late)\n                log_module = __import__("tuilerie.store.log", fromlist=["Appended"])\n                answer = log_module.Appended(self.number + 1, self.number + len(data))\n',
        ("server/test_kill.py::test_nothing_acknowledged_is_lost_when_the_server_is_killed",),
    ),
    Breakage(
        "who comes back misses an event",
        "server/tables/actor.py",
        "return list(self.recent)[len(self.recent) - missing :]",
        "return list(self.recent)[len(self.recent) - missing + (missing > 1) :]",
        ("server/test_nodes.py::test_two_nodes_survive_each_fault_in_turn",),
    ),
    Breakage(
        "a worker that hangs stays",
        "server/bots/pool.py",
        'if failed.why == "fault":',
        "if True:",
        (BOTS + "test_a_worker_that_hangs_is_killed",),
    ),
    Breakage(
        "workers read anything",
        "server/bots/redis_pool.py",
        "view = rules.read_view(asked.view)",
        "view = asked.view",
        (WORKERS + "test_invalid_questions_are_rejected_and_nothing_is_executed",),
    ),
    Breakage(
        "the database's password is shown",
        "store/database.py",
        'return f"Server({str(self)!r})"',
        'return f"Server({self.url!r})"',
        ("store/postgres/test_log.py::test_errors_never_contain_the_password",),
    ),
    Breakage(
        "everybody reads backups",
        "store/maintenance/backup.py",
        "os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))",
        "os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644))",
        ("store/maintenance/test_backup.py::test_sqlite_file_is_copied",),
    ),
    Breakage(
        "a backup may have changed",
        "store/maintenance/dump.py",
        'raise Damaged("the backup is damaged: its checksum does not match")',
        "pass",
        ("store/maintenance/test_backup.py::test_incomplete_backup_changes_nothing",),
    ),
    Breakage(
        "two servers on one folder",
        "store/sqlite/files.py",
        "fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)",
        "pass",
        (FILES + "test_second_server_on_a_folder_is_refused",),
    ),
    Breakage(
        "serve takes no lock",
        "server/process.py",
        "        stack.enter_context(exclusive(parse_database(settings.database)))\n",
        "",
        (UPKEEP + "test_second_server_on_a_folder_does_not_start",),
    ),
    Breakage(
        "an empty file is a new database",
        "store/sqlite/files.py",
        "if path.exists() and path.stat().st_size == 0:",
        "if False:",
        (FILES + "test_truncated_file_is_not_a_new_database",),
    ),
    Breakage(
        "damaged pages are not found",
        "store/sqlite/files.py",
        'return [line for (line,) in found if line != "ok"]',
        "return []",
        (
            FILES + "test_damaged_page_is_found",
            "server/ops/test_commands.py::test_verify_reports_a_damaged_page",
        ),
    ),
    Breakage(
        "healthy on a full disk",
        "server/ops/upkeep.py",
        "                await self._store.uptime.beat()\n        except (StoreError, TimeoutError) as error:",
        "                pass\n        except (StoreError, TimeoutError) as error:",
        (
            UPKEEP + "test_health_check_probes_writing",
            UPKEEP + "test_health_check_fails_if_nothing_can_be_written",
        ),
    ),
    Breakage(
        "new tables until the disk is full",
        "server/ops/upkeep.py",
        "return self._free is None or self._free >= DISK_LOW_BYTES",
        "return True",
        (UPKEEP + "test_new_tables_are_refused_before_the_disk_is_full",),
    ),
    Breakage(
        "downtime counts",
        "server/tables/actor.py",
        "await self._decide_and_append(commands.GiveBack(self._outages))",
        "pass",
        ("server/test_next_day.py::test_an_hour_of_downtime_is_given_back_to_the_clocks",),
    ),
    Breakage(
        "old clocks stand still",
        "server/tables/row_keeper.py",
        "            if len(rows) < PAGE:\n                break\n",
        "            break\n",
        ("server/tables/test_row_keeper.py::test_every_overdue_clock_of_510_is_woken",),
    ),
    Breakage(
        "records of accounts are purged",
        "store/maintenance/purge.py",
        "return begun & _is_idle(since) & ~kept",
        "return begun & _is_idle(since)",
        (PURGE + "test_tables_that_never_began_and_old_guest_games_are_deleted",),
    ),
    Breakage(
        "a dry run deletes",
        "store/maintenance/purge.py",
        "    if dry_run:\n",
        "    if False:\n",
        (PURGE + "test_tables_that_never_began_and_old_guest_games_are_deleted",),
    ),
    Breakage(
        "banned networks get in",
        "server/http/middleware.py",
        'raise ApiError(403, "forbidden", "banned")',
        "pass",
        (
            ADMIN + "test_banned_network_cannot_connect",
            ADMIN + "test_bans_hold_after_a_restart",
        ),
    ),
    Breakage(
        "banned accounts log in",
        "store/accounts.py",
        'raise Banned("this account is banned")',
        "return",
        (ADMIN + "test_banned_account_is_logged_out_and_cannot_log_in",),
    ),
    Breakage(
        "bots play at random when a worker fails",
        "server/bots/pool.py",
        'FALLBACK = "greedy"',
        'FALLBACK = "random"',
        (BOTS + "test_the_fallback_is_the_greedy_bot",),
    ),
    Breakage(
        "bots think as long under load",
        "server/bots/budget.py",
        "    if questions <= processes:\n",
        "    if True:\n",
        (
            BOTS + "test_under_load_every_move_is_the_levels_own_with_a_shorter_budget",
            BOTS + "test_thinking_time_shrinks_smoothly_with_the_queue_and_grows_with_processes",
        ),
    ),
    Breakage(
        "tables with many bots get more",
        "server/bots/budget.py",
        "return self.questions / (len(self._by_table) * self._by_table[table])",
        "return 1.0",
        (BOTS + "test_a_table_with_three_bots_gets_as_much_as_a_table_with_one",),
    ),
    Breakage(
        "every node moves the bots",
        "server/bots/driver.py",
        "            if self._is_ours():\n",
        "            if True:\n",
        (
            "server/tables/test_following.py::test_one_node_moves_the_bots_of_a_table_that_two_nodes_follow",
        ),
    ),
    Breakage(
        "jobs that nobody waits for are computed",
        "server/bots/redis_pool.py",
        "if _is_awaited(fields):",
        "if True:",
        (WORKERS + "test_invalid_jobs_are_answered_and_the_worker_continues",),
    ),
)
