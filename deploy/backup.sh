#!/bin/sh
# Back up the database every day, and keep the newest fourteen backups. For the service `backup`.
# `sh backup.sh once` makes a single backup. To go back to one (docs/host.md):
#   docker compose stop server-1 server-2
#   docker compose run --rm --entrypoint tuilerie backup restore /backups/FILE --overwrite
set -eu

folder=${BACKUP_FOLDER:-/backups}
keep=${BACKUP_KEEP:-14}

make_backup() {
	file="$folder/tuilerie-$(date -u +%Y%m%dT%H%M%SZ).jsonl"
	tuilerie backup "$file"
	# The newest come first; names are times, so this is the order of their age.
	ls -1r "$folder"/tuilerie-*.jsonl | tail -n +$((keep + 1)) | while read -r old; do
		rm -- "$old"
	done
}

if [ "${1:-}" = once ]; then
	make_backup
	exit
fi
while :; do
	if make_backup; then
		sleep 86400
	else
		echo "The backup failed. The next try is in an hour." >&2
		sleep 3600
	fi
done
