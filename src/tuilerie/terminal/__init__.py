"""The table in the terminal: what is drawn, what is said, what is asked."""
