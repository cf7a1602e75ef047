"""The way in and out: HTTP, WebSocket, limits, metrics, the bus between nodes, and the bots' jobs.

Nothing in this room knows a rule of a game: it takes commands from people, hands them to
`tuilerie.match`, keeps what was decided in `tuilerie.store`, and tells each viewer what that
viewer may know.
"""
