"""Limits that nobody reaches."""

from __future__ import annotations

from tests.breakages.breakage import (
    ACCOUNTS,
    BOUNDS,
    HANDED,
    HTTP,
    INPUT,
    LOGGING,
    RATES,
    Breakage,
)


def _rate(key: str, *tests: str) -> Breakage:
    """A limit that nobody reaches."""
    return Breakage(
        f"no limit: {key}",
        "server/ops/limits.py",
        "        if self._left >= cost:\n",
        f"        if self._left >= cost or self._rate.key == {key!r}:\n",
        tests,
    )


def _most(key: str, *tests: str) -> Breakage:
    return Breakage(
        f"no limit: {key}",
        "server/ops/limits.py",
        "if count >= self.scaled(most.count, most.key):",
        f"if most.key != {key!r} and count >= self.scaled(most.count, most.key):",
        tests,
    )


LIMITS = (
    _most(
        "connections",
        HTTP + "test_a_connection_is_counted_until_it_is_lost",
        HTTP + "test_connections_are_limited_by_network",
    ),
    _rate(
        "connections-opened",
        HTTP + "test_new_connections_are_limited_by_rate",
    ),
    _most("sockets", RATES + "test_sockets_are_limited_by_network"),
    _rate(
        "sockets-opened",
        RATES + "test_handshakes_are_limited_by_network_whatever_their_origin",
    ),
    _rate("socket-bytes", HTTP + "test_a_flood_of_bytes_closes_its_socket"),
    _rate("socket-frames", HTTP + "test_a_flood_of_small_frames_closes_its_socket"),
    _rate("socket-messages", INPUT + "test_too_many_messages_get_a_wait_time"),
    _rate(
        "socket-hellos",
        RATES + "test_subscriptions_are_limited_by_socket_and_by_network",
    ),
    _rate("hellos", RATES + "test_subscriptions_are_limited_by_socket_and_by_network"),
    _rate(
        "seat-commands",
        RATES + "test_commands_are_limited_by_person_over_all_sockets",
    ),
    _rate(
        "lobby-commands",
        RATES + "test_changes_before_the_start_are_limited_by_network",
    ),
    _rate("reactions", RATES + "test_reactions_and_takebacks_are_limited[reactions"),
    _rate("takebacks", RATES + "test_reactions_and_takebacks_are_limited[takebacks"),
    _rate("hints", RATES + "test_hints_are_limited_by_person"),
    _rate("requests", RATES + "test_requests_are_limited_by_network_and_by_their_cost"),
    _rate(
        "health-checks",
        RATES + "test_health_checks_are_limited_apart_from_requests",
    ),
    _rate(
        "tables-created",
        RATES + "test_each_costly_request_has_its_own_limit[tables-created",
    ),
    _rate("seats-taken", RATES + "test_seats_and_their_links_are_limited"),
    _rate("logins", RATES + "test_each_costly_request_has_its_own_limit[logins"),
    _rate("passwords", RATES + "test_wrong_guesses_elsewhere_do_not_lock_the_owner_out"),
    _rate("account-passwords", RATES + "test_a_botnet_cannot_guess_for_ever"),
    _rate(
        "own-passwords",
        ACCOUNTS + "test_password_guesses_in_an_open_session_are_limited",
    ),
    _rate("replays", RATES + "test_each_costly_request_has_its_own_limit[replays"),
    _rate("records-handed", HANDED + "test_handing_over_is_limited"),
    _rate("network-records", HANDED + "test_many_accounts_of_a_network_hand_over_no_more"),
    Breakage(
        "no limit: games-handed",
        "server/http/hand_over.py",
        "if many >= context.limiter.scaled(most.count, most.key):",
        "if False:",
        (HANDED + "test_handing_over_is_limited",),
    ),
    _rate(
        "tokens-tried",
        RATES + "test_each_costly_request_has_its_own_limit[tokens-tried",
    ),
    Breakage(
        "replays of tables are not limited",
        "server/http/replays.py",
        "    context.limit(request, REPLAYS)\n    table =",
        "    table =",
        (RATES + "test_replays_of_tables_and_new_accounts_are_limited_alike",),
    ),
    Breakage(
        "new accounts are not limited",
        "server/http/accounts.py",
        "    context.limit(request, limits.LOGINS)\n    name =",
        "    name =",
        (RATES + "test_replays_of_tables_and_new_accounts_are_limited_alike",),
    ),
    Breakage(
        "commands are counted by network",
        "server/ws/endpoint.py",
        "take(limits.SEAT_COMMANDS, person)",
        "take(limits.SEAT_COMMANDS, connection.address)",
        (RATES + "test_commands_are_limited_by_person_over_all_sockets",),
    ),
    Breakage(
        "a password costs as much as a page",
        "server/ops/limits.py",
        '("POST", "/api/session", 10)',
        '("POST", "/api/session", 1)',
        (BOUNDS + "test_costs_of_requests_are_documented",),
    ),
    Breakage(
        "any number of messages wait",
        "server/ws/endpoint.py",
        "while len(self._waiting) < limits.WAITING_MESSAGES:",
        "while len(self._waiting) < 1_000:",
        (BOUNDS + "test_few_messages_wait_while_one_is_answered",),
    ),
    Breakage(
        "pings that overtake others are not counted",
        "server/ws/endpoint.py",
        "ping is not None and not self._bucket.take(self._now())",
        "ping is not None",
        (BOUNDS + "test_few_messages_wait_while_one_is_answered",),
    ),
    Breakage(
        "records fill the disk",
        "server/http/hand_over.py",
        "if not context.upkeep.has_room:",
        "if False:",
        (HANDED + "test_no_record_is_kept_when_the_disk_is_nearly_full",),
    ),
    _rate("log-lines", LOGGING + "test_logs_hold_no_secrets"),
)
