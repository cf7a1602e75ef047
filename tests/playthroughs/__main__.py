"""Write all golden playthroughs anew."""

from tests.playthroughs import FOLDER, TOLD, path_of, tell

for old in FOLDER.glob("*.txt"):
    old.unlink()
for table in TOLD:
    path = path_of(table)
    path.write_text("\n".join(tell(table)) + "\n", encoding="utf-8")
    print(f"wrote {path.name}")
