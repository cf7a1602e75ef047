"""Settings of a server, each with its meaning and its default."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tuilerie.store.maintenance.purge import Retention


def data_folder() -> Path:
    """The default folder for games: the user's data folder on this system."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "tuilerie"


def usual_workers() -> int:
    """The default number of bot processes: one core is left to the server itself."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (cores or 1) - 1)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a server. docs/host.md explains each one to hosts."""

    host: str = "127.0.0.1"
    port: int = 8080
    data: Path = field(default_factory=data_folder)
    database_url: str | None = None  # postgresql://…; None: a file in `data`
    redis_url: str | None = None  # the bus between nodes; None: in process
    public_url: str | None = None  # https://games.example: links, cookies and origins follow it
    hosts: str = ""  # more names by which browsers reach this server, with commas
    proxies: str = ""  # networks whose X-Forwarded-For is believed, with commas; '' for none
    metrics_port: int = 0  # 0: no metrics
    metrics_host: str = "127.0.0.1"
    workers: int = field(default_factory=usual_workers)  # bot processes; 0: `tuilerie worker`
    log_format: str = "console"  # or json
    log_level: str = "info"
    bot_pause: float = 1.0  # multiplies the pause before a bot's move is shown
    keep_unstarted: int = 7  # days without a fact after which a table that never began is deleted
    keep_guest_games: int = 365  # the same for games without an account; 0: never
    keep_guest_tokens: int = 90  # the same for seat tokens of guests in games that are over
    limit_factor: float = 1.0  # all limits by network, socket or person are multiplied by this
    limits: Mapping[str, float] = field(default_factory=dict)  # and single ones, by key, by these

    @property
    def secure(self) -> bool:
        """Whether browsers reach this server over TLS."""
        return (self.public_url or "").startswith("https://")

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names in `hosts`."""
        return tuple(name.strip().lower() for name in self.hosts.split(",") if name.strip())

    @property
    def retention(self) -> Retention:
        """The retention periods."""
        return Retention(self.keep_unstarted, self.keep_guest_games, self.keep_guest_tokens)

    @property
    def database(self) -> str | Path:
        """Where the logs are kept."""
        return self.database_url or self.data
