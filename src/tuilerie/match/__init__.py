"""One live table as a pure, serial machine: commands in, numbered facts out, and views of them.

It has no clock, random generator, transport or storage: time (`now`, in ms since the epoch) and
chance (`pick`) are arguments.

======================================  ============================================================
`decide.open_table(game, config, now)`  the first fact of a new log, or `Refused`
`evolve.fold(facts)`                    the table that a log makes
`decide.decide(table, command, …)`      the facts that follow from a command, or `Refused`
`evolve.evolve(table, fact)`            the table after one more fact
`view.view(table, viewer)`              what a viewer may know
`view.table_event(fact, after, …)`      a fact as a viewer sees it
`changes.changes(before, after)`        what changed from one view to another
`ticks.next_tick(table)`                when `Tick` is due
`ticks.bots_due(table)`                 which seats wait for a bot
`rematch.rematch(table, now, pick)`     the first facts of the next table
`table_record.record_of(table)`         the game's record, for after its end
======================================  ============================================================
"""
