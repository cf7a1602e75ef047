"""Text summaries of finished games, for `replay` and `simulate`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tuilerie.games.game import AnyGame, Json
from tuilerie.language import Language, printable
from tuilerie.record import Replay


def ending(words: Language, replay: Replay) -> str:
    """Summarise a game: its settings, its length, its ranking."""
    card, seats = replay.game.card, tuple(map(printable, replay.header.seats))
    chosen = ", ".join(f"{name}={_short(value)}" for name, value in replay.header.options.items())
    title = words.say("report.title", title=card.title, players=len(seats), options=chosen)
    count = words.say("report.entries", count=len(replay.played), version=replay.header.rules)
    result = replay.result
    if result is None:
        return "\n".join((title, count))
    reason = words.say(f"reason.{result.reason}")
    ranked = sorted(zip(result.places, seats, result.scores, strict=True), key=lambda each: each[0])
    width = max(len(name) for name in seats)
    lines = [f"  {place}. {name:<{width}}  {score_text(score)}" for place, name, score in ranked]
    return "\n".join((title, count, reason, *lines))


def score_text(score: Json) -> str:
    """Format a final score: 'R 9  Y 4 …', 'groups 4  captures y 1, g 0  score 5'."""
    parts = []
    for name, value in score.items():
        text = value
        if isinstance(value, dict):
            text = ", ".join(f"{key} {number}" for key, number in value.items())
        parts.append(f"{name} {text}")
    return "  ".join(parts)


def why_unconfirmed(words: Language, replay: Replay) -> str:
    """Say why a valid record is not confirmed: cut off, unfinished or without a result."""
    if replay.cut_line is not None:
        return words.say("record.cut", line=replay.cut_line)
    if replay.result is None:
        return words.say("record.unfinished", entries=len(replay.played))
    return words.say("record.no-result")


class Summary:
    """Statistics of many games."""

    def __init__(self, words: Language, game: AnyGame, players: int) -> None:
        self.words = words
        self.game = game
        self.wins = [0.0] * players
        self.names = [""] * players
        self.reasons: Counter[str] = Counter()
        self.actions = 0

    def add(self, replay: Replay) -> None:
        """Add a game; a shared first place counts as a fraction of a win."""
        result = replay.result
        assert result is not None
        self.names = list(replay.header.seats)
        self.reasons[result.reason] += 1
        self.actions += len(replay.played)
        winners = [seat for seat, place in enumerate(result.places) if place == 1]
        for seat in winners:
            self.wins[seat] += 1 / len(winners)

    def text(self, folder: Path) -> str:
        """Format the statistics: number of games, folder, reasons of the end, wins."""
        count = self.reasons.total()
        lines = [
            self.words.say("report.written", count=count, title=self.game.card.title, out=folder)
        ]
        lines.append(self.words.say("report.mean-entries", mean=f"{self.actions / count:.1f}"))
        for reason, times in self.reasons.most_common():
            lines.append(f"  {times:>6} × {self.words.say(f'reason.{reason}')}")
        for name, wins in zip(self.names, self.wins, strict=True):
            lines.append(
                self.words.say("report.wins", name=name, share=f"{100 * wins / count:.1f}")
            )
        return "\n".join(lines)


def _short(value: Json) -> str:
    if isinstance(value, list):
        return "/".join(str(item) for item in value)
    return "–" if value is None else str(value).lower()
