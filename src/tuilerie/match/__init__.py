"""One live table as a pure, serial machine: commands in, numbered facts out, and views of them.

There is no clock, no random generator, no transport and no storage in this room: time (`now`, in ms
since the epoch) and chance (`pick`) come in from outside.

======================================  ============================================================
`decide.open_table(game, config, now)`  the first fact of a new log, or `Refused`
`evolve.fold(facts)`                    the table that a log makes
`decide.decide(table, command, …)`      the facts that follow from a command, or `Refused`
`decide.stages(table, command, …)`      the same, with the table after each
`evolve.evolve(table, fact)`            the table after one more fact
`view.view(table, viewer)`              what a viewer may know
`view.event(before, fact, after, …)`    what a viewer hears of a fact
`view.follow(view, event)`              the view after it
`ticks.next_tick(table)`                when the table wants to hear `Tick`
`ticks.bots_due(table)`                 which seats wait for a bot
`rematch.rematch(table, now, pick)`     the first facts of the next table
`entries.record_of(table)`              the game's record, for after its end
======================================  ============================================================
"""
