"""Records of games, replayed in a process beside the event loop."""
