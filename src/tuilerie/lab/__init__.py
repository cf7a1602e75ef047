"""Arenas: many games between bots, and what can be known from them (docs/lab.md).

`plan`      what is to be played: entrants, seats, deals, as numbered games
`luck`      the same deal for the same seed, whoever plays
`referee`   one game, judged by the Python rules; the bots think in a process without a state
`crew`      local processes (`worker`) that play games; `cluster` has a Ray cluster
            instead, through `driver`
`folder`    what was played, kept in files; an arena goes on where it stopped
`estimate`  shares, Elo and intervals; `sprt` says when enough is known; `skill` is openskill's
`report`    what people and programs read; `picture` draws the ladder
`arena`     all of it together; `commands` is the command line
"""
