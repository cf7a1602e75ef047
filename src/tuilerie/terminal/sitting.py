"""One person at a table with bots, from the first entry to the last, or until the person leaves.

The person's seat is drawn from its view alone, and the view follows the events that this seat may
see. All that happens goes through the same door as in any record.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tuilerie.bots import BOTS, Bot
from tuilerie.games.game import Action, Clock, Code, Entry, Json, Pick, Refused, Seat
from tuilerie.record import Played
from tuilerie.terminal.commands import COMMANDS
from tuilerie.terminal.console import Console, Gone
from tuilerie.terminal.glass import Glass
from tuilerie.terminal.layout import clip, wrap
from tuilerie.terminal.saves import Log
from tuilerie.terminal.speech import command, word_for
from tuilerie.terminal.talk import TALKS, Ears, Unclear
from tuilerie.terminal.talk.building import Layout, layout_of, next_move_towards

RECENT = 12  # lines of what has happened that stand below the table
LAYING = ("put", "lift", "leave")  # what can be taken back while building


class Sitting:
    """A game in progress, with one person at it."""

    def __init__(
        self, console: Console, log: Log, ears: Ears, levels: Mapping[Seat, str], seed: str
    ) -> None:
        self.console, self.log, self.ears, self.seed = console, log, ears, seed
        self.game = log.game
        self.talk = TALKS[self.game.card.name]
        self.bots: dict[Seat, Bot] = {
            seat: BOTS[self.game.card.name][level] for seat, level in levels.items()
        }
        self.history: list[list[str]] = []  # for each entry what was told of it
        self.told: list[str] = []  # what has happened since the table was last drawn
        self.counted = False  # a round was counted: time to read
        self.glass: Glass | None = None
        self.let_others_finish = False  # the person wants no bonus tile after 'done'
        self.layouts: list[Layout] = []  # how the own galaxy lay before each own move
        self.changed = False  # a command has changed the game: the turn is looked at anew
        self.warned = False  # that nothing can be saved
        played = log.replay.played
        self.started = console.now() - max((p.ms or 0 for p in played), default=0) / 1000
        self.skipped = 0.0  # time that nobody waited for
        self.view = self.game.view(log.replay.start, ears.me)
        for each in played:
            self._follow(each)
        self.told, self.counted = [], False

    # --- the course of the game -------------------------------------------------------------------

    def play(self) -> None:
        """Play to the end. Raises `Gone` when the person leaves."""
        while self.game.result(self.log.state) is None:
            self._warn()
            if self.game.due(self.log.state):
                self.glass = None
                self.add(self.game.chance(self.log.state, self.pick()))
            elif self.ears.me in self.view.actors:
                self.let_others_finish = False
                self._my_turn()
            elif self.view.legal and not self.let_others_finish:
                self._last_word()
            else:
                self._bots_turn()

    def pick(self) -> Pick:
        """Chance for the next entry. It depends on the seed and on how many entries there are, so
        that a game that was left and gone on with is the same game."""
        return Random(f"{self.seed}/{len(self.log.replay.played)}").randrange

    def add(self, entry: Entry[Json]) -> None:
        """Let something happen, and follow it."""
        last = max((p.ms or 0 for p in self.log.replay.played[-1:]), default=0)
        ms = max(last, int((self.now() - self.started) * 1000))
        self._follow(self.log.add(entry, ms))

    def _follow(self, played: Played) -> None:
        lines: list[str] = []
        for event in played.events:
            seen = self.game.redact(event, self.ears.me)
            self.view = self.game.follow(self.view, seen)
            lines += self.talk.tell(seen, self.view, self.ears)
            self.counted |= seen.kind == "counted"
        self.history.append(lines)
        self.told += lines

    def now(self) -> float:
        """The time at the table."""
        return self.console.now() + self.skipped

    # --- bots -------------------------------------------------------------------------------------

    def _act(self, seat: Seat) -> None:
        """One action of a bot, from its own view."""
        pick = self.pick()
        text = self.bots[seat](self.game.view(self.log.state, seat), pick)
        self.add(Action(seat, self.game.parse_move(text)))
        if self.glass is not None:
            self.glass.plan(seat, self.now(), pick)

    def _bots_turn(self) -> None:
        """The person has nothing to do: the next bot acts, and nobody waits for real time."""
        glass, seats = self._running_glass(), self.view.actors
        if glass is None:
            self._act(seats[0])
            return
        coming = glass.next_bot(seats)
        at = glass.ends if coming is None else min(glass.ends, coming[0])
        self.skipped += max(0.0, at - self.now())
        if coming is None or at >= glass.ends:
            self._time_up()
        else:
            self._act(coming[1])

    def _others_act_too(self) -> None:
        """In a game where all act at once, without a glass: each bot acts once for each action of
        the person."""
        phase = self.view.phase
        for seat in self.view.actors:
            if seat in self.bots and self.view.phase == phase:
                self._act(seat)

    # --- the glass --------------------------------------------------------------------------------

    def _running_glass(self) -> Glass | None:
        """The glass, turned if a timed part has just begun, gone if it is over."""
        seconds = self.game.glass(self.log.state)
        if seconds is None:
            self.glass = None
        elif self.glass is None:
            self.tell_news()
            done = self.ears.me not in self.view.actors  # a saved game that is gone on with
            key = "play.go-on-timer" if done else "play.turn-glass"
            self.ask(self.ears.say.say(key, seconds=seconds))
            self.glass = Glass.turned(self.now(), seconds, self.bots, self.pick())
        return self.glass

    def _time_up(self) -> None:
        self.glass = None
        self.add(Clock())

    def _seconds(self) -> int | None:
        return None if self.glass is None else self.glass.seconds_left(self.now())

    def _listen(self, prompt: str) -> str | None:
        """What the person types; `None` when the glass is empty, or all others have finished. Bots
        act in the meantime."""
        while (glass := self.glass) is not None:
            coming = glass.next_bot(self.view.actors)
            until = glass.ends if coming is None else min(glass.ends, coming[0])
            line = self.console.ask(prompt, until - self.skipped, self._status)
            if self.now() >= glass.ends:
                self.console.forget()
                return None
            if line is not None:
                return line
            prompt = ""
            while coming is not None and coming[0] <= self.now():
                self._act(coming[1])
                coming = glass.next_bot(self.view.actors)
            if self.game.glass(self.log.state) is None:
                return None
        return self.console.ask(prompt)

    def _status(self) -> str:
        """The line above the prompt while the glass runs."""
        left = self.ears.say.say("draw.glass", seconds=self._seconds())
        return " · ".join([left, *self.told[-1:]])

    # --- the person -------------------------------------------------------------------------------

    def ask(self, prompt: str) -> str:
        """Ask for a line, however long it takes."""
        line = self.console.ask(prompt)
        return line or ""

    def show(self) -> None:
        """Draw the table, and what has happened since it was drawn last."""
        if self.counted:
            self.tell_news()
            self.ask(self.ears.say.say("play.go-on"))
        self.draw()
        self.tell_news()

    def draw(self) -> None:
        """Draw the table as it is now."""
        self.ears.seconds = self._seconds()
        self.console.write()
        self.console.write(self.talk.draw(self.view, self.ears))

    def tell_news(self) -> None:
        """Say what has happened."""
        if self.told:
            shown = self.told if self.counted else self.told[-RECENT:]
            self.console.write("\n".join(["", *shown]))
        self.told, self.counted = [], False

    def _my_turn(self) -> None:
        """Ask for a move until there is one, or until time is up."""
        self._running_glass()
        self.show()
        self.changed = False
        while not self.changed:
            line = self._listen(self.talk.prompt(self.view, self.ears))
            if line is None:
                self._time_up()
                return
            if not line.strip():
                self.show()
            elif not self.obey(line) and self._try(line):
                self._after_my_move()
                return

    def _last_word(self) -> None:
        """The person is done, but may still take bonus tiles while the others build."""
        self._running_glass()
        self.tell_news()
        line = self._listen(self.ears.say.say("play.bonus-or-enter"))
        if line is None:
            if self.game.glass(self.log.state) is not None:
                self._time_up()
        elif not line.strip():
            self.let_others_finish = True
        elif not self.obey(line):
            self._try(line)

    def _try(self, line: str) -> bool:
        """Make the move that was typed; say what is wrong with it where it cannot be made."""
        try:
            move = self.game.parse_move(self.talk.read(line, self.view))
            before = layout_of(self.view) if str(move).split()[0] in LAYING else None
            self.add(Action(self.ears.me, move))
        except (Refused, Unclear) as wrong:
            self.refuse(wrong)
            return False
        if before is not None:
            self.layouts.append(before)
        else:
            self.layouts.clear()
        return True

    def refuse(self, refused: Refused | Unclear) -> None:
        """Say why not."""
        say = self.ears.say
        # What was typed is said again without signs that a terminal would obey.
        given = refused.params.items()
        params = {name: clip(v, 200) if isinstance(v, str) else v for name, v in given}
        if isinstance(refused, Unclear):
            self._complain(say.say(refused.key, **params))
            return
        sentence = say.refusal(Refused(refused.code, refused.rule, **params))
        if refused.code == Code.MALFORMED:
            sentence += " " + say.say("play.see-help", word=word_for("help", say))
        self._complain(sentence)

    def _complain(self, sentence: str) -> None:
        first, *rest = wrap(sentence, self.console.width, indent="  ", first="✗ ")
        self.console.write("\n".join([self.ears.style("✗", "bad") + first[1:], *rest]))

    def _after_my_move(self) -> None:
        """All at once: the others act too. In turn: the person may still take the move back."""
        if self.game.card.simultaneous:
            done = self.ears.me not in self.view.actors  # then the last word comes first
            if self.glass is None and not done and not self.game.due(self.log.state):
                self._others_act_too()
            return
        while self._may_take_back() and self.ears.me not in self.view.actors:
            self.tell_news()
            line = self.ask(self.ears.say.say("play.end-turn"))
            if not line.strip():
                return
            if not self.obey(line):
                self.console.write(self.ears.say.say("play.enter-or-undo"))

    # --- taking back ------------------------------------------------------------------------------

    def _may_take_back(self) -> bool:
        """Whether nothing has happened since the person's own action."""
        played = self.log.replay.played
        if not played or self.game.result(self.log.state) is not None:
            return False
        entry = played[-1].entry
        return isinstance(entry, Action) and entry.seat == self.ears.me

    def undo(self) -> None:
        """Take the last own action back, as long as nothing came after it."""
        say = self.ears.say
        if self.game.card.simultaneous:
            if not self.layouts or self.view.phase != "building":
                self.console.write(say.say("play.cannot-undo"))
                return
            wanted = self.layouts.pop()
            while (text := next_move_towards(self.view, wanted)) is not None:
                self.add(Action(self.ears.me, self.game.parse_move(text)))
            self.changed = True
            self.console.write(say.say("play.taken-back"))
            return
        if not self._may_take_back():
            self.console.write(say.say("play.cannot-undo"))
            return
        self.log.take_back()
        self.history.pop()
        self.view = self.game.view(self.log.state, self.ears.me)
        self.told = []
        self.changed = True
        self.console.write(say.say("play.taken-back"))

    # --- commands ---------------------------------------------------------------------------------

    def obey(self, line: str) -> bool:
        """Do what was typed, if it is a command and no move."""
        said = command(line)
        if said is None:
            return False
        name, rest = said
        COMMANDS[name](self, rest)
        return True

    def leave(self) -> None:
        """The person has had enough."""
        raise Gone

    def preview(self, line: str) -> tuple[Any, Any, Played]:
        """What a move would lead to: the views before and after it. Nothing is kept of it."""
        move = self.game.parse_move(self.talk.read(line, self.view))
        entry = Action(self.ears.me, move)
        state, events = self.game.apply(self.log.state, entry)
        seen = tuple(self.game.redact(event, self.ears.me) for event in events)
        after = self.view
        for event in seen:
            after = self.game.follow(after, event)
        return self.view, after, Played(0, entry, None, state, seen)

    def _warn(self) -> None:
        """Say once that nothing can be saved."""
        if self.log.trouble is not None and not self.warned:
            self.warned = True
            why = self.log.trouble.strerror or str(self.log.trouble)
            where = self.log.trouble.filename or ""
            sentence = self.ears.say.say("play.not-saved", file=where, why=why)
            self.console.write("\n".join(wrap(sentence, self.console.width)))
