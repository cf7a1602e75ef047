GAME: str

Four = tuple[int, int, int, int] | list[int]
Three = tuple[int, int, int] | list[int]

class Box:
    def __init__(self, tiles: str, cards: str) -> None: ...

def count(
    box: Box, card: str, galaxy: str
) -> tuple[list[int], list[int], list[int], int, list[list[int]]]: ...
def count_random(box: Box, card: str, number: int, seed: int) -> tuple[float, int]: ...
def versions() -> list[tuple[int, bool, bool, bool]]: ...
def random_game(
    box: Box, version: int, players: int, kaos: bool, draft: bool, timed: bool, seed: int
) -> list[tuple[str, int, int]]: ...
def random_rounds(
    box: Box, version: int, players: int, kaos: bool, draft: bool, timed: bool, seed: int
) -> tuple[
    list[tuple[str, list[int], list[tuple[str, list[int], str]]]],
    list[list[int]],
]: ...
def legal(box: Box, position: str, seat: int) -> list[str]: ...
def rewritten(box: Box, position: str) -> str: ...
def resample(box: Box, view: str, seed: int) -> str: ...
def solve(
    box: Box,
    card: str,
    tiles: str,
    laid: str,
    totals: Four,
    temperature: float,
    bonus: list[float],
    nodes: int,
    seconds: float,
    anneal: int,
    seed: int,
) -> tuple[str, float, float, bool, int, float]: ...
def brute_force(
    box: Box, card: str, tiles: str, laid: str, totals: Four, temperature: float
) -> tuple[float, int]: ...
def count_shapes(tiles: int) -> int: ...
def can_prune(
    box: Box, card: str, tiles: str, laid: str, totals: Four, temperature: float, best: float
) -> bool: ...
def weigh_keeps(
    box: Box,
    view: str,
    temperature: float,
    nodes: int,
    seconds: float,
    seed: int,
    candidates: int,
    build: int,
) -> list[tuple[str, float, int]]: ...
def odds(box: Box, view: str, samples: int, build: int, seed: int) -> list[list[float]]: ...
