# ruff: noqa: E501
"""Deliberate faults, each with the tests that must fail by it.

A test that cannot fail proves nothing. For every promise in docs/threats.md there is at least one
fault here: a text in one source file, and what stands there instead. `test_breakages.py` runs the
tests that are named with the faulty copy of the source.
"""

from __future__ import annotations

from typing import NamedTuple


class Breakage(NamedTuple):
    """In `file`, `old` becomes `new`; then all of `tests` fail."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


ATTACKS = "server/test_attacks.py::"
HTTP = "server/http/test_uvicorn_protocol.py::"
TABLES = "server/http/test_tables.py::"
ACCOUNTS = "server/http/test_accounts.py::"
ENDPOINT = "server/ws/test_endpoint.py::"
INPUT = "server/test_bad_input.py::"
RACE = "server/tables/test_race.py::"
SEATS = "store/test_accounts_and_seats.py::"


def _rate(key: str, name: str, *tests: str) -> Breakage:
    """A limit that nobody reaches."""
    return Breakage(
        f"no limit: {key}",
        "server/ops/limits.py",
        f'{name} = Rate("{key}", ',
        f'{name} = Rate("{key}", 1_000_000 + ',
        tests,
    )


def _most(key: str, name: str, *tests: str) -> Breakage:
    return Breakage(
        f"no limit: {key}",
        "server/ops/limits.py",
        f'{name} = Most("{key}", ',
        f'{name} = Most("{key}", 1_000_000 + ',
        tests,
    )


LIMITS = (
    _most("connections", "CONNECTIONS", HTTP + "test_a_connection_is_counted_until_it_is_lost"),
    _rate(
        "connections-opened",
        "CONNECTIONS_OPENED",
        HTTP + "test_new_connections_are_limited_by_rate",
    ),
    _most("sockets", "SOCKETS", ATTACKS + "test_sockets_are_limited_by_network"),
    _rate(
        "sockets-opened",
        "SOCKETS_OPENED",
        ATTACKS + "test_handshakes_are_limited_by_network_whatever_their_origin",
    ),
    _rate("socket-bytes", "SOCKET_BYTES", HTTP + "test_a_flood_of_bytes_closes_its_socket"),
    _rate(
        "socket-frames", "SOCKET_FRAMES", HTTP + "test_a_flood_of_small_frames_closes_its_socket"
    ),
    _rate("socket-messages", "SOCKET_MESSAGES", INPUT + "test_too_many_messages_get_a_wait_time"),
    _rate(
        "socket-hellos",
        "SOCKET_HELLOS",
        ATTACKS + "test_subscriptions_are_limited_by_socket_and_by_network",
    ),
    _rate("hellos", "HELLOS", ATTACKS + "test_subscriptions_are_limited_by_socket_and_by_network"),
    _rate(
        "seat-commands",
        "SEAT_COMMANDS",
        ATTACKS + "test_commands_are_limited_by_person_over_all_sockets",
    ),
    _rate(
        "lobby-commands",
        "LOBBY_COMMANDS",
        ATTACKS + "test_changes_before_the_start_are_limited_by_network",
    ),
    _rate(
        "reactions",
        "REACTIONS_SENT",
        ATTACKS + "test_reactions_and_takebacks_are_limited[reactions",
    ),
    _rate("takebacks", "TAKEBACKS", ATTACKS + "test_reactions_and_takebacks_are_limited[takebacks"),
    _rate(
        "requests", "REQUESTS", ATTACKS + "test_requests_are_limited_by_network_and_by_their_cost"
    ),
    _rate(
        "health-checks",
        "HEALTH_CHECKS",
        ATTACKS + "test_health_checks_are_limited_apart_from_requests",
    ),
    _rate(
        "tables-created",
        "TABLES_CREATED",
        ATTACKS + "test_each_costly_request_has_its_own_limit[tables-created",
    ),
    _rate("seats-taken", "SEATS_TAKEN", ATTACKS + "test_seats_and_their_links_are_limited"),
    _rate("logins", "LOGINS", ATTACKS + "test_each_costly_request_has_its_own_limit[logins"),
    _rate(
        "passwords", "PASSWORDS", ATTACKS + "test_wrong_guesses_elsewhere_do_not_lock_the_owner_out"
    ),
    _rate(
        "account-passwords", "ACCOUNT_PASSWORDS", ATTACKS + "test_a_botnet_cannot_guess_for_ever"
    ),
    _rate(
        "own-passwords",
        "OWN_PASSWORDS",
        ACCOUNTS + "test_password_guesses_in_an_open_session_are_limited",
    ),
    _rate("replays", "REPLAYS", ATTACKS + "test_each_costly_request_has_its_own_limit[replays"),
    _rate(
        "tokens-tried",
        "TOKENS_TRIED",
        ATTACKS + "test_each_costly_request_has_its_own_limit[tokens-tried",
    ),
    _rate("log-lines", "LOG_LINES", "server/ops/test_logging.py::test_logs_hold_no_secrets[json"),
)

OTHERS = (
    # --- connections ---
    Breakage(
        "limits by address instead of IPv6 network",
        "server/http/security.py",
        "return str(mapped or IPv6Network((found, 64), strict=False))",
        "return str(mapped or found)",
        (
            HTTP + "test_an_ipv6_network_counts_as_one",
            ATTACKS + "test_a_network_is_an_ipv4_address_or_an_ipv6_64",
        ),
    ),
    Breakage(
        "a head of any length",
        "server/ops/limits.py",
        "HEAD_BYTES = 32_768",
        "HEAD_BYTES = 32_768_000_000",
        (
            HTTP + "test_a_head_that_is_too_long_is_refused",
            HTTP + "test_an_endless_head_is_not_parsed_beyond_the_limit",
        ),
    ),
    Breakage(
        "any number of headers",
        "server/ops/limits.py",
        "HEADERS = 100",
        "HEADERS = 100_000",
        (HTTP + "test_too_many_headers_are_refused",),
    ),
    Breakage(
        "no time limit for heads and bodies",
        "server/http/uvicorn_protocol.py",
        "self._timer = self.loop.call_later(seconds, self._too_late)",
        "pass",
        (
            HTTP + "test_a_head_that_does_not_come_closes_the_connection",
            HTTP + "test_a_body_that_does_not_come_closes_the_connection",
        ),
    ),
    Breakage(
        "a lost connection stays counted",
        "server/http/uvicorn_protocol.py",
        "            self._open[who] -= 1\n",
        "            pass\n",
        (
            HTTP + "test_a_connection_is_counted_until_it_is_lost",
            HTTP + "test_a_websocket_is_counted_until_it_is_lost",
        ),
    ),
    Breakage(
        "no limit of all connections",
        "server/http/uvicorn_protocol.py",
        "if self._open.total() >= self._most:",
        "if False:",
        (HTTP + "test_trusted_proxies_are_not_limited_but_all_connections_are",),
    ),
    Breakage(
        "pongs pile up for a client that does not read",
        "server/ws/bounded.py",
        "if self.writable.is_set():",
        "if True:",
        (HTTP + "test_a_socket_that_pings_and_does_not_read_is_closed",),
    ),
    Breakage(
        "every proxy is believed",
        "server/process.py",
        "forwarded_allow_ips=settings.proxies or None",
        'forwarded_allow_ips="*"',
        (
            ATTACKS
            + "test_only_trusted_proxies_forward_addresses_and_the_last_untrusted_one_counts",
        ),
    ),
    Breakage(
        "a star for proxies",
        "server/http/security.py",
        'return tuple(ip_network(each.strip()) for each in text.split(",") if each.strip())',
        "return ()",
        (ATTACKS + "test_proxies_must_be_addresses_or_networks",),
    ),
    # --- requests ---
    Breakage(
        "cookies are unquoted",
        "server/http/security.py",
        "            found[name.strip()] = value.strip()\n",
        "            import http.cookies\n"
        "            found[name.strip()] = http.cookies._unquote(value.strip())\n",
        (
            ATTACKS + "test_cookies_are_split_and_never_unquoted",
            ATTACKS + "test_a_hostile_cookie_reaches_no_slow_parser",
        ),
    ),
    Breakage(
        "the framework parses cookies",
        "server/http/context.py",
        'return read_cookies(header(request.scope, b"cookie"))',
        "return request.cookies",
        (ATTACKS + "test_a_hostile_cookie_reaches_no_slow_parser",),
    ),
    Breakage(
        "a cookie header of any length",
        "server/ops/limits.py",
        "COOKIE_BYTES = 16_384",
        "COOKIE_BYTES = 16_384_000",
        (ATTACKS + "test_a_cookie_header_that_is_too_long_is_refused",),
    ),
    Breakage(
        "an invalid origin raises",
        "server/http/security.py",
        "    except ValueError:  # as for http://[\n        return None\n",
        "    except KeyError:\n        return None\n",
        (ATTACKS + "test_an_invalid_origin_is_refused_with_security_headers[http://[]",),
    ),
    Breakage(
        "any origin for requests",
        "server/http/middleware.py",
        'raise ApiError(403, "forbidden", "other-origin")',
        "pass",
        (TABLES + "test_cross_site_requests_are_refused",),
    ),
    Breakage(
        "any origin for sockets",
        "server/ws/endpoint.py",
        "return known and same_origin(origin, host, self._public_url)",
        "return known",
        (TABLES + "test_cross_site_sockets_are_refused",),
    ),
    Breakage(
        "any host",
        "server/http/security.py",
        "return name is not None and (name in self._names or _is_address(name))",
        "return True",
        (
            ATTACKS + "test_an_unknown_host_is_refused",
            ATTACKS + "test_known_hosts_are_our_own_names_and_addresses",
        ),
    ),
    Breakage(
        "cookies that other hosts can set",
        "server/http/security.py",
        'return f"__Host-{name}" if secure else name',
        "return name",
        (TABLES + "test_over_tls_cookies_are_bound_to_the_host",),
    ),
    Breakage(
        "inline scripts",
        "server/http/security.py",
        "\"script-src 'self'\"",
        "\"script-src 'self' 'unsafe-inline'\"",
        (TABLES + "test_every_response_has_the_security_headers",),
    ),
    Breakage(
        "answers are cached",
        "server/http/middleware.py",
        "                if is_api:\n",
        "                if False:\n",
        (ATTACKS + "test_api_responses_are_not_cached",),
    ),
    Breakage(
        "bodies of any length",
        "server/app.py",
        "request_max_body_size=limits.BODY_BYTES",
        "request_max_body_size=10**9",
        (TABLES + "test_a_body_that_is_too_long_is_refused",),
    ),
    Breakage(
        "all requests cost the same",
        "server/http/middleware.py",
        "network, limits.request_cost(method, path))",
        "network)",
        (ATTACKS + "test_requests_are_limited_by_network_and_by_their_cost",),
    ),
    Breakage(
        "deep JSON is our fault",
        "server/http/errors.py",
        "if isinstance(error, (RecursionError, UnicodeError)):",
        "if isinstance(error, KeyError):",
        (ATTACKS + "test_deep_json_is_refused[5000]",),
    ),
    # --- time ---
    Breakage(
        "a key that comes twice takes quadratic time",
        "record.py",
        "        for name, _ in pairs:\n            if name in seen:\n",
        "        every = [name for name, _ in pairs]\n"
        "        for name, _ in pairs:\n            if every.count(name) > 1:\n",
        (ATTACKS + "test_duplicate_keys_are_found_in_linear_time",),
    ),
    Breakage(
        "replays take any time",
        "server/http/replays.py",
        "if time.thread_time() > end:",
        "if False:",
        (ATTACKS + "test_a_replay_may_take_only_so_much_time",),
    ),
    Breakage(
        "any number of replays",
        "server/ops/limits.py",
        "if self._here >= self._most:",
        "if False:",
        (ATTACKS + "test_few_replays_run_at_once_and_few_wait",),
    ),
    Breakage(
        "long logs are followed on the event loop",
        "server/tables/actor.py",
        "if len(log) > THREAD_FACTS:",
        "if False:",
        (ATTACKS + "test_a_long_log_is_followed_in_a_thread",),
    ),
    Breakage(
        "an old number reads the log",
        "server/tables/room.py",
        "past = self.actor.since(last) if last > 0 else None",
        "past = (await self.actor.history(last)) if last > 0 else None",
        (ATTACKS + "test_a_client_that_missed_too_much_gets_a_snapshot",),
    ),
    Breakage(
        "pings wait for the store",
        "server/ws/endpoint.py",
        "            self._reader = asyncio.get_running_loop().create_task(self._read())\n",
        "            pass\n",
        (ATTACKS + "test_pings_are_answered_while_a_command_waits_for_the_store",),
    ),
    Breakage(
        "a log grows for ever",
        "match/lobby.py",
        'raise Refused(Code.TOO_LATE, "too-many-changes")',
        "return",
        (ATTACKS + "test_changes_before_the_start_are_bounded",),
    ),
    Breakage(
        "invalid messages for ever",
        "server/ops/limits.py",
        "REFUSALS_PER_SOCKET = 200",
        "REFUSALS_PER_SOCKET = 200_000",
        (INPUT + "test_a_socket_is_closed_after_too_many_invalid_messages",),
    ),
    Breakage(
        "slow sockets stay",
        "server/ops/limits.py",
        "QUEUE_MESSAGES = 256",
        "QUEUE_MESSAGES = 256_000",
        (ENDPOINT + "test_a_slow_socket_is_closed_and_can_resume",),
    ),
    # --- names and passwords ---
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
        "RECOVERY_MS = 30 * 86_400_000",
        "RECOVERY_MS = 10**15",
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
    # --- what nobody can foresee ---
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
    # --- who sees and does what ---
    Breakage(
        "others' tiles are sent",
        "server/tables/delivery.py",
        "found = self._own[viewer] = own(self.table, viewer), own_play(self.table, viewer)",
        "found = self._own[viewer] = own(self.table, viewer), own_play(self.table, 0)",
        ("server/test_leaks.py::test_updates_do_not_depend_on_hidden_tiles_of_others",),
    ),
    Breakage(
        "the record before the end",
        "server/http/tables.py",
        '    if table.result is None:\n        raise ApiError(404, "not-found", "game-not-over")\n',
        "",
        ("server/test_leaks.py::test_the_record_is_not_available_before_the_end",),
    ),
    Breakage(
        "spectators see at once",
        "server/tables/room.py",
        "if seat is not None or not has_delay:",
        "if True:",
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
        ("server/ops/test_logging.py::test_logs_hold_no_secrets[json",),
    ),
    Breakage(
        "visitors' addresses in logs",
        "server/ops/logging.py",
        'logging.getLogger("uvicorn.error").setLevel(max(number, logging.WARNING))',
        'logging.getLogger("uvicorn.error").setLevel(max(number, logging.INFO))',
        ("server/ops/test_logging.py::test_logs_hold_no_secrets[json",),
    ),
    Breakage(
        "everybody reads the database's file",
        "store/sqlite/files.py",
        "os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600",
        "os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644",
        ("store/sqlite/test_log.py::test_folder_and_file_are_private",),
    ),
)

BREAKAGES = (*LIMITS, *OTHERS)
