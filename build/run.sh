#!/bin/sh
# Carries out the goal $1: for real, or against the pages built into the program
# where OFFLINE is set or no name resolves.
set -eu
goal=$1

# resolves succeeds where some public name has an address. Without getent it
# leaves the question to the program.
resolves() {
	command -v getent >/dev/null 2>&1 || return 0
	for name in youtube.com example.org; do
		if timeout 5 getent ahosts "$name" >/dev/null 2>&1; then
			return 0
		fi
	done
	return 1
}

if [ -n "${OFFLINE:-}" ]; then
	exec bin/errand demo "$goal"
fi
if ! resolves; then
	echo "This network resolves no names: doing it against the pages built into the program." >&2
	exec bin/errand demo "$goal"
fi
echo "bin/errand run \"$goal\"" >&2
exec bin/errand run "$goal"
