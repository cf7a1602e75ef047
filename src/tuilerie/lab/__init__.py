"""Arenas: many games between bots, and their statistics (docs/lab.md).

`plan`           what to play: entrants, seats and deals, as numbered games
`deals`          paired deals: the same seed gives the same deal to any bots
`referee`        plays one game by the Python rules; bots run in a separate, stateless process
`local_workers`  pool of local processes (`worker`) that play games; `cluster` is a pool on a Ray
                 cluster, reached through `ray_driver`
`results_store`  results on disk; an interrupted arena resumes from them
`estimate`       win shares, Elo and intervals; `sprt`: sequential test; `skill`: openskill
`report`         results as text and JSON; `plot` draws the ladder as SVG
`arena`          runs all of it; `commands` is the command line
"""
