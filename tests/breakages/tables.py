# ruff: noqa: E501
"""Faults at tables: chance, races, visibility and permissions."""

from __future__ import annotations

from tests.breakages.breakage import (
    ACCOUNTS,
    ATTACKS,
    ENDPOINT,
    INPUT,
    LEAKS,
    LOGGING,
    RACE,
    Breakage,
)

AT_TABLES = (
    # --- chance ---
    Breakage(
        "a generator with a seed deals tiles",
        "server/tables/actor.py",
        "pick = SystemRandom().randrange",
        "pick = __import__('random').Random(1).randrange",
        (ATTACKS + "test_chance_comes_from_the_system",),
    ),
    Breakage(
        "table ids can be guessed",
        "server/tables/registry.py",
        "return secrets.token_urlsafe(16)",
        "return f\"table-{__import__('random').getrandbits(128)}\"",
        (ATTACKS + "test_table_ids_and_tokens_are_random",),
    ),
    Breakage(
        "tokens can be guessed",
        "store/tokens.py",
        "return token_urlsafe(16)",
        "return f\"{__import__('random').getrandbits(128):022x}\"",
        (ATTACKS + "test_table_ids_and_tokens_are_random",),
    ),
    # --- the race ---
    Breakage(
        "a press is written at once",
        "server/tables/actor.py",
        "if not race.is_racing(self.table, command, seat):",
        "if True:",
        (
            RACE + "test_nothing_is_sent_or_written_before_a_race_is_decided",
            RACE + "test_simultaneous_presses_have_equal_chances[40]",
        ),
    ),
    Breakage(
        "others wait for a race",
        "server/tables/actor.py",
        "if self._race and (next_tick(self.table) or now + 1) <= now:",
        "if self._race:",
        (RACE + "test_moves_of_others_during_a_race_look_the_same",),
    ),
    Breakage(
        "the press time that a client tells decides",
        "server/tables/actor.py",
        "for held in race.drawn(moves, pick):",
        "for held in sorted(moves, key=lambda held: getattr(held.command, 'pressed', None) or 0):",
        (
            RACE + "test_a_cheat_wins_no_more_than_an_honest_player_in_its_place",
            RACE + "test_simultaneous_presses_have_equal_chances[40]",
        ),
    ),
    Breakage(
        "the round trip that a client feigns decides",
        "server/tables/actor.py",
        "for held in race.drawn(moves, pick):",
        "for held in sorted(\n"
        "                moves, key=lambda held: held.arrived - (getattr(held.command, 'rtt', 0) or 0)\n"
        "            ):",
        (RACE + "test_a_cheat_wins_no_more_than_an_honest_player_in_its_place",),
    ),
    Breakage(
        "the first to arrive wins",
        "match/race.py",
        "order.append(left.pop(pick(len(left))))",
        "order.append(left.pop(0))",
        (
            RACE + "test_simultaneous_presses_have_equal_chances[40]",
            "match/test_race.py::test_the_order_is_drawn_by_lot",
        ),
    ),
    Breakage(
        "a race lasts for long",
        "match/race.py",
        "HOLD = 75",
        "HOLD = 750",
        (RACE + "test_the_clearly_first_press_wins",),
    ),
    # --- visibility and permissions ---
    Breakage(
        "others' tiles are sent",
        "server/tables/delivery.py",
        "found = self._own[viewer] = own(self.table, viewer), own_play(self.table, viewer)",
        "found = self._own[viewer] = own(self.table, viewer), own_play(self.table, 0)",
        (LEAKS + "test_updates_do_not_depend_on_hidden_tiles_of_others",),
    ),
    Breakage(
        "the record before the end",
        "server/http/tables.py",
        '    if table.result is None:\n        raise ApiError(404, "not-found", "game-not-over")\n',
        "",
        (LEAKS + "test_the_record_is_not_available_before_the_end",),
    ),
    Breakage(
        "spectators see at once",
        "server/tables/room.py",
        "if seat is not None or not has_delay:",
        "if True:",
        (ENDPOINT + "test_nothing_reveals_recent_events_to_delayed_spectators",),
    ),
    Breakage(
        "delayed spectators wait for ever",
        "server/tables/room.py",
        "self._delayed_timer = loop.call_later(delay, self._deliver_delayed)",
        "self._delayed_timer = loop.call_later(10**6, self._deliver_delayed)",
        (ENDPOINT + "test_delayed_spectators_get_every_event_later",),
    ),
    Breakage(
        "strangers watch",
        "server/tables/room.py",
        "if seat is None and not self._may_watch():",
        "if False:",
        (ENDPOINT + "test_a_table_without_spectators_admits_only_players",),
    ),
    Breakage(
        "spectators take the places of players",
        "server/tables/room.py",
        "if sum(self._seat_of(other) == seat for other in self.connections) >= most:",
        "if len(self.connections) >= most:",
        (
            "server/tables/test_room.py::test_spectators_do_not_take_the_places_of_players",
            "server/tables/test_room.py::test_a_player_does_not_take_the_places_of_others",
        ),
    ),
    Breakage(
        "any number of sockets at a table",
        "server/tables/room.py",
        "if sum(self._seat_of(other) == seat for other in self.connections) >= most:",
        "if False:",
        (
            "server/tables/test_room.py::test_spectators_do_not_take_the_places_of_players",
            "server/tables/test_room.py::test_concurrent_joins_respect_the_socket_limit",
        ),
    ),
    Breakage(
        "spectators act",
        "server/ws/endpoint.py",
        '        if player is None:\n            connection.push(delivery.error("forbidden", "no-seat", message.id))\n            return\n',
        "        if player is None:\n            player = next(each.player or '' for each in room.table.seats)\n",
        (ENDPOINT + "test_spectators_cannot_send_commands",),
    ),
    Breakage(
        "ids of commands are shared",
        "server/ws/endpoint.py",
        'await room.actor.do(command, f"{player}/{message.id}")',
        "await room.actor.do(command, message.id)",
        (
            ENDPOINT + "test_command_ids_are_separate_for_each_player",
            INPUT + "test_replaying_another_players_message_does_not_act_for_them",
        ),
    ),
    Breakage(
        "a revoked token is remembered",
        "server/http/auth.py",
        "if known is not None and not sure and time.monotonic() < until:",
        "if known is not None and time.monotonic() < until:",
        (ACCOUNTS + "test_a_revoked_token_in_the_cache_gets_no_new_token",),
    ),
    Breakage(
        "secrets in logs",
        "server/ops/logging.py",
        'return {name: "…" if name in SECRET_FIELDS else value for name, value in fields}',
        "return dict(fields)",
        (LOGGING + "test_logs_hold_no_secrets",),
    ),
    Breakage(
        "visitors' addresses in logs",
        "server/ops/logging.py",
        'logging.getLogger("uvicorn.error").setLevel(max(number, logging.WARNING))',
        'logging.getLogger("uvicorn.error").setLevel(max(number, logging.INFO))',
        (LOGGING + "test_logs_hold_no_secrets",),
    ),
    Breakage(
        "ids of players are sent",
        "match/view.py",
        "        name=holder.name,\n",
        "        name=holder.player or holder.name,\n",
        (LEAKS + "test_only_documented_messages_are_sent",),
    ),
    Breakage(
        "delayed spectators see it by a request",
        "server/http/tables.py",
        "return room.table_for_spectators() if seat is None else room.table",
        "return room.table",
        (ENDPOINT + "test_nothing_reveals_recent_events_to_delayed_spectators",),
    ),
    Breakage(
        "lists read the logs of games that are shown later",
        "server/http/tables.py",
        "    table = _table_for(room, seat)\n",
        "    await room.actor.history(0)\n    table = _table_for(room, seat)\n",
        (ENDPOINT + "test_what_delayed_spectators_may_know_is_kept_in_memory",),
    ),
    Breakage(
        "any reaction",
        "match/talk.py",
        "if command.reaction not in c.REACTIONS:",
        "if False:",
        (ENDPOINT + "test_refusals_name_the_rule_and_change_nothing",),
    ),
    Breakage(
        "own tables tell who left of a game that is shown later",
        "server/http/tables.py",
        'if player is None or you is not None or row.summary["spectators"] != "delayed":',
        "if True:",
        (ENDPOINT + "test_who_left_before_the_start_learns_no_more_than_a_spectator",),
    ),
    Breakage(
        "a login with the password of a moment ago",
        "store/accounts.py",
        "accounts.c.id == account.id, accounts.c.password_hash == stored\n",
        "accounts.c.id == account.id\n",
        (
            "store/test_accounts_and_seats.py::test_login_fails_if_the_password_changes_during_the_check",
        ),
    ),
)
