"""Live tables: an actor per table, the room around it, and the registry of all rooms."""
