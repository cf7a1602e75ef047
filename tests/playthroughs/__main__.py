"""Regenerate all golden playthroughs."""

from tests.playthroughs import FOLDER, PLAYTHROUGHS, path_of, playthrough_lines

for old in FOLDER.glob("*.txt"):
    old.unlink()
for table in PLAYTHROUGHS:
    path = path_of(table)
    path.write_text("\n".join(playthrough_lines(table)) + "\n", encoding="utf-8")
    print(f"wrote {path.name}")
