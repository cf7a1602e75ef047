"""The server: HTTP and WebSocket, live tables, bots, operations.

Nothing in this package knows a rule of a game: it takes commands from people, hands them to
`tuilerie.match`, stores what was decided in `tuilerie.store`, and sends each viewer what that
viewer may know. One direction: `ws.endpoint` → `tables.registry` → `tables.room` → `tables.actor`
→ store.
"""
