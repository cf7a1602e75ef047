GAME: str
