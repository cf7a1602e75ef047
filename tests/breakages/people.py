# ruff: noqa: E501
"""Faults in names, passwords, tokens and accounts."""

from __future__ import annotations

from tests.breakages.breakage import (
    ACCOUNTS,
    ATTACKS,
    BOUNDS,
    HANDED,
    INPUT,
    SEATS,
    TABLES,
    Breakage,
)

PEOPLE = (
    Breakage(
        "names that cannot be seen",
        "names.py",
        "if letter in BLANK or not letter.isprintable():",
        "if False:",
        (
            ATTACKS + "test_invisible_names_are_refused_everywhere",
            INPUT + "test_refused_names_are_never_logged",
        ),
    ),
    Breakage(
        "names that look alike",
        "names.py",
        ".casefold().translate(CONFUSABLE)",
        ".casefold()",
        (ATTACKS + "test_a_name_that_looks_like_another_is_refused",),
    ),
    Breakage(
        "trivial passwords",
        "store/tokens.py",
        "if any(plain in 2 * row for row in FIRST_GUESSES):",
        "if False:",
        (ATTACKS + "test_common_passwords_are_refused[0987654321]",),
    ),
    Breakage(
        "guesses are counted by spelling",
        "server/http/accounts.py",
        "    who = name_key(data.login)\n",
        "    who = data.login\n",
        (
            ATTACKS + "test_wrong_guesses_elsewhere_do_not_lock_the_owner_out",
            ACCOUNTS + "test_password_guesses_are_counted_whatever_the_spelling_of_the_name",
        ),
    ),
    Breakage(
        "guesses anywhere lock the owner out",
        "server/http/accounts.py",
        'context.limiter.take(limits.PASSWORDS, f"{who}@{network_of(request.scope)}")',
        "context.limiter.take(limits.PASSWORDS, who)",
        (ATTACKS + "test_wrong_guesses_elsewhere_do_not_lock_the_owner_out",),
    ),
    Breakage(
        "weak password hashes",
        "store/tokens.py",
        "memory_cost=19 * 1024",
        "memory_cost=1024",
        (SEATS + "test_default_hash_parameters_are_strong",),
    ),
    Breakage(
        "recovery links for ever",
        "store/seats.py",
        "player = await self._player(_holds(recovery, recovery=True) & fresh)",
        "player = await self._player(_holds(recovery, recovery=True))",
        (SEATS + "test_a_recovery_link_expires",),
    ),
    Breakage(
        "tokens are stored as they are",
        "store/tokens.py",
        'return hashlib.sha256(token.encode("utf-8", "replace")).digest()',
        'return token.encode("utf-8", "replace")',
        (
            SEATS + "test_tokens_are_random_and_stored_as_hashes",
            TABLES + "test_tokens_are_stored_as_hashes",
        ),
    ),
    Breakage(
        "a password change keeps sessions",
        "store/accounts.py",
        "await connection.execute(delete(sessions)",
        "await connection.execute(delete(sessions).where(sessions.c.account == 'nobody')",
        (ACCOUNTS + "test_changing_the_password_ends_all_other_sessions",),
    ),
    Breakage(
        "unknown names are answered at once",
        "store/tokens.py",
        "return self._hasher.verify(stored or self._nobody, _bytes(password))",
        "return stored is not None and self._hasher.verify(stored, _bytes(password))",
        (SEATS + "test_unknown_name_takes_as_much_work_as_a_wrong_password",),
    ),
    Breakage(
        "a password change keeps the tokens of seats",
        "store/accounts.py",
        "            await connection.execute(delete(seat_tokens).where(tokens_of_account(account)))\n            await insert_if_absent(",
        "            await insert_if_absent(",
        (SEATS + "test_changing_the_password_revokes_seat_and_recovery_tokens",),
    ),
    Breakage(
        "logging out keeps the tokens of seats",
        "server/http/accounts.py",
        "seats = set(await context.seats.revoke(context.seat_tokens(request).values(), keep))",
        "seats: set[tuple[str, str]] = set()",
        (
            ACCOUNTS + "test_logging_out_releases_the_seats_of_the_account",
            ACCOUNTS + "test_logging_in_as_another_releases_the_previous_accounts_seats",
        ),
    ),
    Breakage(
        "logging out keeps open pages",
        "server/http/accounts.py",
        "        seats.update(await context.seats.seats_of(account.id))\n",
        "        pass\n",
        (ACCOUNTS + "test_logging_out_closes_pages_authenticated_by_session_only",),
    ),
    Breakage(
        "seats are released on one node",
        "server/tables/registry.py",
        "            self._dismissed += seats\n",
        "            pass\n",
        (
            ACCOUNTS + "test_released_seats_are_released_on_every_node",
            ACCOUNTS + "test_a_name_is_erased_on_every_node_and_its_sockets_are_closed",
        ),
    ),
    Breakage(
        "an account claims all seats of a browser",
        "server/http/accounts.py",
        "for slug, token in context.seat_tokens(request).items() if slug in wanted]",
        "for slug, token in context.seat_tokens(request).items()]",
        (ACCOUNTS + "test_only_the_named_seats_are_claimed",),
    ),
    Breakage(
        "the result of a record is believed",
        "record.py",
        "        _check_result(done, line, fields)\n",
        "",
        (HANDED + "test_a_bad_record_is_refused_and_nothing_is_stored[result",),
    ),
    Breakage(
        "the times of a record are believed",
        "match/import_record.py",
        "min(now, start + played.ms)",
        "start + played.ms",
        (HANDED + "test_times_of_a_record_are_not_trusted",),
    ),
    Breakage(
        "two accounts share a game that was handed over",
        "server/http/handed.py",
        'f"{account}\\n{record.write(replay)}"',
        "record.write(replay)",
        (HANDED + "test_a_handed_over_game_belongs_to_its_account_only",),
    ),
    Breakage(
        "the same record in another form is another game",
        "server/http/handed.py",
        "{record.write(replay)}",
        "{given.record}",
        (HANDED + "test_the_same_record_twice_is_one_game",),
    ),
    Breakage(
        "another's seat is offered to an account",
        "store/seats.py",
        "if player.account is None and row.table not in own",
        "if player.account is None",
        (ACCOUNTS + "test_on_a_shared_device_another_players_seat_is_not_offered",),
    ),
    Breakage(
        "a deleted name stays in the log",
        "store/accounts.py",
        "await connection.execute(update(facts).where(which).values(body=body))",
        "pass",
        (
            ACCOUNTS + "test_a_deleted_account_leaves_no_name_and_no_session",
            ACCOUNTS + "test_a_name_is_erased_on_every_node_and_its_sockets_are_closed",
        ),
    ),
    Breakage(
        "a rematch belongs to nobody",
        "server/tables/registry.py",
        "account = known[holder.player].account if holder.player in known else None",
        "account = None",
        (ACCOUNTS + "test_a_rematch_belongs_to_the_same_account",),
    ),
    Breakage(
        "a recovery link opens no seat",
        "store/seats.py",
        "return player, await self._issue(player, recovery=False)",
        "return player, await self._issue(player, recovery=True)",
        (TABLES + "test_a_new_recovery_link_can_be_requested",),
    ),
    Breakage(
        "any number of passwords at once",
        "store/tokens.py",
        "self._turns = asyncio.Semaphore(AT_ONCE)",
        "self._turns = asyncio.Semaphore(100)",
        (BOUNDS + "test_few_passwords_are_hashed_at_once",),
    ),
)
