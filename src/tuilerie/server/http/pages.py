"""Static files of the web client: its page for every client route, its assets cached for good."""

from __future__ import annotations

import gzip
import mimetypes
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from litestar import HttpMethod, Request, route
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from tuilerie.server.http.errors import ApiError

FOLDER = Path(__file__).parents[2] / "web_dist"
ENGINE = Path(__file__).parents[2] / "engine_dist"
"""What a browser needs to play without a server; not in every copy (`make engine`)."""

FOR_EVER = "public, max-age=31536000, immutable"
NEVER = "no-cache"

PACKED = ("text/", "application/json", "application/manifest", "image/svg")
"""Media types that are compressed."""

mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")

NO_ENGINE = b'{"info": {}, "files": []}'
"""The list of the engine's files where there is none: a missing file would be an error."""

NO_CLIENT = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>Tuilerie</title>
<h1>Tuilerie</h1><p>The server runs, but this copy holds no client.</p></html>
"""


class File(NamedTuple):
    """A file, plain and gzipped."""

    content: bytes
    packed: bytes | None
    kind: str
    keep: str


class Pages:
    """The files of a folder, read once. All other paths are routes of the client."""

    def __init__(self, folder: Path = FOLDER, engine: Path = ENGINE) -> None:
        self._files = {
            name: _file(path.read_bytes(), name)
            for name, path in {**files_in(folder), **files_in(engine, "engine/")}.items()
        }
        self._files.setdefault("engine/manifest.json", _file(NO_ENGINE, "manifest.json"))

    def find(self, name: str) -> File | None:
        """A file, or the client's page for a path that looks like a route of the client."""
        found = self._files.get(name)
        if found is not None:
            return found
        if name.startswith(("api/", "assets/", "engine/", "ws")) or "." in name.rsplit("/", 1)[-1]:
            return None
        return self._files.get("index.html", _NOTHING)


@cache
def packaged_pages() -> Pages:
    """The client of this package: compressing its files takes longer than the rest of a start."""
    return Pages()


def files_in(folder: Path, prefix: str = "") -> dict[str, Path]:
    """The files below a folder by their names, except those of the build itself."""
    return {
        prefix + path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def _file(content: bytes, name: str) -> File:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = gzip.compress(content, mtime=0) if kind.startswith(PACKED) else content
    smaller = len(packed) < len(content) * 0.9
    keep = FOR_EVER if name.startswith("assets/") or name.endswith(".bin") else NEVER
    return File(content, packed if smaller else None, kind, keep)


_NOTHING = _file(NO_CLIENT.encode(), "index.html")


GivenPages = NamedDependency[Pages]


@route(
    ["/", "/{path:path}"],
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    include_in_schema=False,
    sync_to_thread=False,
)
def page(
    request: Request[Any, Any, Any], pages: GivenPages, path: FromPath[str] = ""
) -> ASGIResponse:
    """A file of the client, or its page."""
    found = pages.find(path.strip("/"))
    if found is None:
        raise ApiError(404, "not-found", "no-such-page")
    content, headers = found.content, {"Cache-Control": found.keep}
    if found.packed is not None:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            content = found.packed
            headers["Content-Encoding"] = "gzip"
    is_head = request.method == "HEAD"
    if is_head:
        headers |= {"Content-Type": found.kind, "Content-Length": str(len(content))}
    return ASGIResponse(
        body=b"" if is_head else content,
        media_type=found.kind,
        headers=headers,
        is_head_response=is_head,
    )
