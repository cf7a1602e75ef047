"""`tuilerie site`: writes the client as a folder of files that any web host can serve.

Everything runs in the visitor's browser (`tuilerie.local`): no server, no cookies, no accounts.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import click
import msgspec

from tuilerie.games import GAMES
from tuilerie.language import LANGUAGES
from tuilerie.server.http import pages
from tuilerie.server.http.security import CONTENT_POLICY
from tuilerie.server.http.tables import game_facts
from tuilerie.texts import rules_text

MARK = ' data-home="static"'
"""How the client knows that it belongs to a static site."""

NOT_IN_META = ("frame-ancestors",)
"""Directives that a page cannot give itself."""

LOST = """\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'" />
    <title>Tuilerie · 404</title>
    <link rel="icon" href="{base}icon.svg" type="image/svg+xml" />
  </head>
  <body>
    <h1>Tuilerie</h1>
    <p>There is nothing at this address. <a href="{base}">Go to the games</a></p>
    <p lang="fr">Il n’y a rien à cette adresse. <a href="{base}">Aller aux jeux</a></p>
  </body>
</html>
"""


class CannotWrite(Exception):
    """The site cannot be written, for a reason that the user can understand."""


def write_site(folder: Path, base: str = "/") -> int:
    """Write the site into a folder, new or of an earlier site. Returns the number of files."""
    if not (pages.FOLDER / "index.html").is_file():
        raise CannotWrite("this copy holds no client: run `make web` first")
    if not (pages.ENGINE / "manifest.json").is_file():
        raise CannotWrite("this copy holds no engine for browsers: run `make engine` first")
    _clear(folder)
    files = {**pages.files_in(pages.FOLDER), **pages.files_in(pages.ENGINE, "engine/")}
    for name, path in files.items():
        _write(folder / name, path.read_bytes())
    _write(folder / "index.html", _page(folder / "index.html").encode())
    worker = (folder / "sw.js").read_text("utf-8")
    _write(folder / "sw.js", worker.replace("STATIC = false", "STATIC = true", 1).encode())
    _write(folder / "manifest.webmanifest", _app(folder / "manifest.webmanifest"))
    _write(folder / "404.html", LOST.format(base=base).encode())
    _write(folder / ".nojekyll", b"")  # some hosts would leave files out
    facts = [game_facts(game) for game in GAMES.values()]
    _write(folder / "api" / "games.json", msgspec.json.encode(facts))
    for game in GAMES:
        for lang in LANGUAGES:
            text = rules_text(game, lang)
            _write(folder / "api" / "rules" / f"{game}.{lang}.md", text.encode())
    return sum(path.is_file() for path in folder.rglob("*"))


def _clear(folder: Path) -> None:
    """Remove an earlier site. Anything else is left alone."""
    if folder.exists() and not folder.is_dir():
        raise CannotWrite(f"{folder} is not a folder")
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    page = folder / "index.html"
    if not page.is_file() or MARK not in page.read_text("utf-8", errors="replace"):
        raise CannotWrite(f"{folder} holds other files: name a new or an empty folder")
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _page(path: Path) -> str:
    """The page with relative links, its own content policy, and the mark."""
    allowed = [part for part in CONTENT_POLICY.split("; ") if not part.startswith(NOT_IN_META)]
    meta = f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(allowed)}" />'
    text = re.sub(r'\b(href|src)="/', r'\1="', path.read_text("utf-8"))
    text = text.replace("<html", f"<html{MARK}", 1)
    return text.replace('<meta charset="utf-8" />', f'<meta charset="utf-8" />\n    {meta}', 1)


def _app(path: Path) -> bytes:
    """The manifest of the installed app, with relative addresses."""
    app: dict[str, Any] = json.loads(path.read_text("utf-8"))
    app["id"] = app["start_url"] = "./"
    for icon in app["icons"]:
        icon["src"] = icon["src"].removeprefix("/")
    return json.dumps(app, ensure_ascii=False, indent=2).encode()


def _check_base(_context: Any, _option: Any, given: str) -> str:
    if not re.fullmatch(r"/([\w.~-]+/)*", given):
        raise click.BadParameter("name a path that begins and ends with '/', like /games/")
    return given


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--base",
    default="/",
    show_default=True,
    callback=_check_base,
    metavar="/PATH/",
    help="Where on its host the folder will be: for the links of its 404 page.",
)
def site(folder: Path, base: str) -> None:
    """Write a static site: play in a browser, without a server."""
    try:
        count = write_site(folder, base)
    except CannotWrite as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{folder}: {error.strerror}") from None
    click.echo(f"{folder}: {count} files")


COMMANDS = (site,)
