from __future__ import annotations

import pytest

from tests.server.tables.rooms import Watch
from tuilerie.server.tables import actor, room


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """A clock that stands until it is set, for the tables and their rooms."""
    watch = Watch()
    for module in (room, actor):
        monkeypatch.setattr(module, "now_ms", watch)
    return watch
