"""The client in a real Chromium, against a real server: whole games, by touch, mouse and keys."""
