"""Settings of a server, each with its meaning and its default."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path


def data_folder() -> Path:
    """Where games are kept when nothing is said: the user's own data folder."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "tuilerie"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a server. docs/host.md explains each to its host."""

    host: str = "127.0.0.1"
    port: int = 8080
    data: Path = field(default_factory=data_folder)
    database_url: str | None = None  # postgresql://…; a file in `data` where it is not said
    redis_url: str | None = None  # the bus between nodes; in process where it is not said
    public_url: str | None = None  # https://games.example: links, cookies and origins follow it
    proxies: str = ""  # addresses whose X-Forwarded-For is believed, '' for none
    metrics_port: int = 0  # 0: no metrics
    metrics_host: str = "127.0.0.1"
    workers: int = 1  # processes for bots; 0: bots are left to `tuilerie worker`
    log_format: str = "console"  # or json
    log_level: str = "info"
    bot_pause: float = 1.0  # multiplies the pause before a bot's move is shown
    limit_factor: float = 1.0  # all rates of limits.py are multiplied by this

    @property
    def secure(self) -> bool:
        """Whether browsers reach this server over TLS."""
        return (self.public_url or "").startswith("https://")

    @property
    def database(self) -> str | Path:
        """Where the logs are kept."""
        return self.database_url or self.data
