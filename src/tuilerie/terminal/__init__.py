"""The terminal client: drawing, prompts, commands, and the game loop."""
