"""The game loop: one human player against bots, until the game ends or the player quits.

The screen is drawn from the view of the player's seat alone, never from the state.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tuilerie.bots import BOTS, Bot
from tuilerie.games.game import Action, AnyMove, Code, Entry, Pick, Refused, Seat, Timeout
from tuilerie.record import Played
from tuilerie.terminal.commands import COMMANDS
from tuilerie.terminal.console import Console, InputClosed
from tuilerie.terminal.layout import clip, wrap
from tuilerie.terminal.phrasing import command, word_for
from tuilerie.terminal.saved_games import GameLog
from tuilerie.terminal.text_ui import TEXT_UIS, Display, UnclearInput
from tuilerie.terminal.text_ui.kaosmos_undo import Layout, layout_of, next_move_towards
from tuilerie.terminal.timer import Timer

RECENT = 12  # log lines shown below the table
LAYING = ("put", "lift", "leave")  # moves that can be undone while building


class GameLoop:
    """A game in progress with one human player."""

    def __init__(
        self,
        console: Console,
        log: GameLog,
        display: Display,
        levels: Mapping[Seat, str],
        seed: str,
    ) -> None:
        self.console, self.log, self.display, self.seed = console, log, display, seed
        self.game = log.game
        self.text_ui = TEXT_UIS[self.game.card.name]
        self.bots: dict[Seat, Bot] = {
            seat: BOTS[self.game.card.name][level] for seat, level in levels.items()
        }
        self.history: list[list[str]] = []  # for each entry, its log lines
        self.news: list[str] = []  # log lines since the table was last drawn
        self.counted = False  # a round was scored: pause so that it can be read
        self.timer: Timer | None = None
        self.let_others_finish = False  # the player declined bonus tiles after 'done'
        self.layouts: list[Layout] = []  # undo stack: the player's galaxy before each own move
        self.changed = False  # a command has changed the game: restart the turn
        self.warned = False  # whether the player knows that saving fails
        played = log.replay.played
        self.started = console.now() - max((p.ms or 0 for p in played), default=0) / 1000
        self.skipped = 0.0  # simulated time, in seconds
        self.view = self.game.view(log.replay.start, display.me)
        for each in played:
            self._log_events(each)
        self.news, self.counted = [], False

    # --- the loop ---------------------------------------------------------------------------------

    def play(self) -> None:
        """Play to the end. Raises `InputClosed` when the player quits."""
        while self.game.result(self.log.state) is None:
            self._warn()
            if self.game.due(self.log.state):
                self.timer = None
                self.add(self.game.chance(self.log.state, self.pick()))
            elif self.display.me in self.view.actors:
                self.let_others_finish = False
                self._my_turn()
            elif self.view.legal and not self.let_others_finish:
                self._offer_bonus()
            else:
                self._bots_turn()

    def pick(self) -> Pick:
        """Return the random source for the next entry. It depends only on the seed and the number
        of entries, so a resumed game continues exactly as it would have."""
        return Random(f"{self.seed}/{len(self.log.replay.played)}").randrange

    def add(self, entry: Entry[AnyMove]) -> None:
        """Apply an entry, save it, and log its events."""
        last = max((p.ms or 0 for p in self.log.replay.played[-1:]), default=0)
        ms = max(last, int((self.now() - self.started) * 1000))
        self._log_events(self.log.add(entry, ms))

    def _log_events(self, played: Played) -> None:
        lines: list[str] = []
        for event in played.events:
            seen = self.game.redact(event, self.display.me)
            lines += self.text_ui.describe(seen, self.view, self.display)
            self.counted |= seen.kind == "counted"
        self.view = self.game.view(played.state, self.display.me)
        self.history.append(lines)
        self.news += lines

    def now(self) -> float:
        """Return the game time: real time plus the time that was skipped."""
        return self.console.now() + self.skipped

    # --- bots -------------------------------------------------------------------------------------

    def _act(self, seat: Seat) -> None:
        """Let a bot take one action, chosen from its own view."""
        pick = self.pick()
        text = self.bots[seat](self.game.view(self.log.state, seat), pick)
        self.add(Action(seat, self.game.parse_move(text)))
        if self.timer is not None:
            self.timer.schedule(seat, self.now(), pick)

    def _bots_turn(self) -> None:
        """Let the next bot act while the player has nothing to do, skipping the waiting time."""
        timer, seats = self._running_timer(), self.view.actors
        if timer is None:
            self._act(seats[0])
            return
        coming = timer.next_bot(seats)
        at = timer.ends if coming is None else min(timer.ends, coming[0])
        self.skipped += max(0.0, at - self.now())
        if coming is None or at >= timer.ends:
            self._time_up()
        else:
            self._act(coming[1])

    def _let_each_bot_act(self) -> None:
        """Let each bot act once per action of the player: simultaneous play without a timer."""
        phase = self.view.phase
        for seat in self.view.actors:
            if seat in self.bots and self.view.phase == phase:
                self._act(seat)

    # --- the timer --------------------------------------------------------------------------------

    def _running_timer(self) -> Timer | None:
        """Return the timer: start it when a timed phase begins, drop it when the phase is over."""
        seconds = self.game.timer(self.log.state)
        if seconds is None:
            self.timer = None
        elif self.timer is None:
            self.print_news()
            done = self.display.me not in self.view.actors  # resumed after 'done'
            key = "play.go-on-timer" if done else "play.start-timer"
            self.ask(self.display.say.say(key, seconds=seconds))
            self.timer = Timer.start(self.now(), seconds, self.bots, self.pick())
        return self.timer

    def _time_up(self) -> None:
        self.timer = None
        self.add(Timeout())

    def _seconds(self) -> int | None:
        return None if self.timer is None else self.timer.seconds_left(self.now())

    def _read_line(self, prompt: str) -> str | None:
        """Read a line while bots act; `None` when time is up or everyone else has finished."""
        while (timer := self.timer) is not None:
            coming = timer.next_bot(self.view.actors)
            until = timer.ends if coming is None else min(timer.ends, coming[0])
            line = self.console.ask(prompt, until - self.skipped, self._status)
            if self.now() >= timer.ends:
                self.console.discard_input()
                return None
            if line is not None:
                return line
            prompt = ""
            while coming is not None and coming[0] <= self.now():
                self._act(coming[1])
                coming = timer.next_bot(self.view.actors)
            if self.game.timer(self.log.state) is None:
                return None
        return self.console.ask(prompt)

    def _status(self) -> str:
        """Return the status line shown above the prompt while the timer runs."""
        left = self.display.say.say("draw.timer", seconds=self._seconds())
        return " · ".join([left, *self.news[-1:]])

    # --- the human player -------------------------------------------------------------------------

    def ask(self, prompt: str) -> str:
        """Ask for a line, without a time limit."""
        line = self.console.ask(prompt)
        return line or ""

    def show(self) -> None:
        """Draw the table and print the new log lines."""
        if self.counted:
            self.print_news()
            self.ask(self.display.say.say("play.go-on"))
        self.draw()
        self.print_news()

    def draw(self) -> None:
        """Draw the current table."""
        self.display.seconds = self._seconds()
        self.console.write()
        self.console.write(self.text_ui.draw(self.view, self.display))

    def print_news(self) -> None:
        """Print the new log lines: all of a scored round, otherwise the most recent."""
        if self.news:
            shown = self.news if self.counted else self.news[-RECENT:]
            self.console.write("\n".join(["", *shown]))
        self.news, self.counted = [], False

    def _my_turn(self) -> None:
        """Prompt until the player makes a move or time is up."""
        self._running_timer()
        self.show()
        self.changed = False
        while not self.changed:
            line = self._read_line(self.text_ui.prompt(self.view, self.display))
            if line is None:
                self._time_up()
                return
            if not line.strip():
                self.show()
            elif not self.run_command(line) and self._try(line):
                self._after_my_move()
                return

    def _offer_bonus(self) -> None:
        """Offer bonus tiles to a player who is done while the others still build."""
        self._running_timer()
        self.print_news()
        line = self._read_line(self.display.say.say("play.bonus-or-enter"))
        if line is None:
            if self.game.timer(self.log.state) is not None:
                self._time_up()
        elif not line.strip():
            self.let_others_finish = True
        elif not self.run_command(line):
            self._try(line)

    def _try(self, line: str) -> bool:
        """Make the typed move, or print why it is refused."""
        try:
            move = self.game.parse_move(self.text_ui.parse(line, self.view))
            before = layout_of(self.view) if str(move).split()[0] in LAYING else None
            self.add(Action(self.display.me, move))
        except (Refused, UnclearInput) as wrong:
            self.print_refusal(wrong)
            return False
        if before is not None:
            self.layouts.append(before)
        else:
            self.layouts.clear()
        return True

    def print_refusal(self, refused: Refused | UnclearInput) -> None:
        """Print why a move is refused."""
        say = self.display.say
        # Echo the input without terminal control characters.
        given = refused.params.items()
        params = {name: clip(v, 200) if isinstance(v, str) else v for name, v in given}
        if isinstance(refused, UnclearInput):
            self._print_error(say.say(refused.key, **params))
            return
        sentence = say.refusal(Refused(refused.code, refused.rule, **params))
        if refused.code == Code.MALFORMED:
            sentence += " " + say.say("play.see-help", word=word_for("help", say))
        self._print_error(sentence)

    def _print_error(self, sentence: str) -> None:
        first, *rest = wrap(sentence, self.console.width, indent="  ", first="✗ ")
        self.console.write("\n".join([self.display.style("✗", "bad") + first[1:], *rest]))

    def _after_my_move(self) -> None:
        """Simultaneous play: let the bots act. Turn-based play: offer to undo the move."""
        if self.game.card.simultaneous:
            done = self.display.me not in self.view.actors  # bonus tiles are offered first
            if self.timer is None and not done and not self.game.due(self.log.state):
                self._let_each_bot_act()
            return
        while self._can_undo() and self.display.me not in self.view.actors:
            self.print_news()
            line = self.ask(self.display.say.say("play.end-turn"))
            if not line.strip():
                return
            if not self.run_command(line):
                self.console.write(self.display.say.say("play.enter-or-undo"))

    # --- undo -------------------------------------------------------------------------------------

    def _can_undo(self) -> bool:
        """Return whether the last entry is the player's own action."""
        played = self.log.replay.played
        if not played or self.game.result(self.log.state) is not None:
            return False
        entry = played[-1].entry
        return isinstance(entry, Action) and entry.seat == self.display.me

    def undo(self) -> None:
        """Undo the player's last action, if nothing happened after it."""
        say = self.display.say
        if self.game.card.simultaneous:
            if not self.layouts or self.view.phase != "building":
                self.console.write(say.say("play.cannot-undo"))
                return
            wanted = self.layouts.pop()
            while (text := next_move_towards(self.view, wanted)) is not None:
                self.add(Action(self.display.me, self.game.parse_move(text)))
            self.changed = True
            self.console.write(say.say("play.taken-back"))
            return
        if not self._can_undo():
            self.console.write(say.say("play.cannot-undo"))
            return
        self.log.undo()
        self.history.pop()
        self.view = self.game.view(self.log.state, self.display.me)
        self.news = []
        self.changed = True
        self.console.write(say.say("play.taken-back"))

    # --- commands ---------------------------------------------------------------------------------

    def run_command(self, line: str) -> bool:
        """Run a typed command. Returns whether the line was one."""
        said = command(line)
        if said is None:
            return False
        name, rest = said
        COMMANDS[name](self, rest)
        return True

    def leave(self) -> None:
        """Quit the game."""
        raise InputClosed

    def preview(self, line: str) -> tuple[Any, Any, Played]:
        """Try a move without making it: the views before and after, and its events."""
        move = self.game.parse_move(self.text_ui.parse(line, self.view))
        entry = Action(self.display.me, move)
        state, events = self.game.apply(self.log.state, entry)
        seen = tuple(self.game.redact(event, self.display.me) for event in events)
        after = self.game.view(state, self.display.me)
        return self.view, after, Played(0, entry, None, state, seen)

    def _warn(self) -> None:
        """Print once that the game cannot be saved."""
        if self.log.error is not None and not self.warned:
            self.warned = True
            why = self.log.error.strerror or str(self.log.error)
            where = self.log.error.filename or ""
            sentence = self.display.say.say("play.not-saved", file=where, why=why)
            self.console.write("\n".join(wrap(sentence, self.console.width)))
