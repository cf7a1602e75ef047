"""Packs the Python of a browser: the modules that are imported, as bytecode, in one zip file.

Runs in Pyodide (build.mjs). It plays a game of each kind, so that modules that are imported late
count, too. The last expression is the zip file.
"""

import importlib
import sys
from importlib._bootstrap_external import _code_to_hash_pyc
from types import CodeType

SOURCE = "/src/"
sys.path.insert(0, SOURCE)

from tuilerie.local import rehearsal  # noqa: E402 - it is there now

LATE = (
    *("traceback", "linecache", "tokenize", "importlib.resources", "tuilerie.local.prepare"),
    "encodings.cp437",  # of names in a zip file
)
"""Modules that are imported late: of errors, and of the bots' worker."""


def bare(code: CodeType) -> CodeType:
    """The same code without its line numbers: each byte says that eight instructions have none."""
    inner = [bare(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    lines = b"\xff" * (len(code.co_code) // 16 + 1)
    return code.replace(co_linetable=lines, co_consts=tuple(inner))


def compiled(name: str, text: bytes) -> bytes:
    """Bytecode that is never compared with a source file. Ours keeps its assertions and line
    numbers, for reports of errors."""
    if name.startswith("tuilerie/"):
        code = compile(text, name, "exec", dont_inherit=True, optimize=0)
    else:
        code = bare(compile(text, name, "exec", dont_inherit=True, optimize=2))
    return bytes(_code_to_hash_pyc(code, bytes(8), False))


def imported(library: str) -> dict[str, bytes]:
    """The source of every imported module of the library's zip file, by its path there."""
    found = {}
    for module in list(sys.modules.values()):
        origin = getattr(getattr(module, "__spec__", None), "origin", None) or ""
        if origin.startswith(library) and origin.endswith(".py"):
            data = module.__spec__.loader.get_data(origin)
            found[origin.removeprefix(library).lstrip("/")] = data
    return found


def packed() -> bytes:
    """The zip file. It is stored, not compressed: the whole file is, later."""
    library = next(path for path in sys.path if path.endswith(".zip"))
    modules = imported(library)  # before those that only packing needs
    import io
    import pathlib
    import zipfile

    own = pathlib.Path(SOURCE).rglob("*.py")
    modules |= {str(path).removeprefix(SOURCE): path.read_bytes() for path in own}

    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in sorted(modules.items()):
            archive.writestr(zipfile.ZipInfo(f"{name}c"), compiled(name, text))
        data = [*pathlib.Path(SOURCE).rglob("*.json"), *pathlib.Path(SOURCE).rglob("*.net")]
        for path in sorted(data):
            name = str(path).removeprefix(SOURCE)
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
    return target.getvalue()


for name in LATE:
    importlib.import_module(name)
for game in rehearsal.BOTS:
    rehearsal.play(game, 1_000, rehearsal.answer)
packed()
