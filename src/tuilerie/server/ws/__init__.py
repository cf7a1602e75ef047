"""WebSocket: the endpoint, its connections, and the messages of protocol v2."""
