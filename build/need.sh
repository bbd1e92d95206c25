#!/bin/sh
# Installs the Debian packages that are named and not there yet, and says so.
# On another system it says what is needed and goes on: the command that needs
# it will fail with a reason of its own.
set -eu
missing=""
if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "needed: $* (this is not Debian: install them with your own package manager)" >&2
	exit 0
fi
for package in "$@"; do
	if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" != installed ]; then
		missing="$missing $package"
	fi
done
if [ -z "$missing" ]; then
	echo "there already: $*" >&2
	exit 0
fi
root=""
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "missing:$missing. Install them as root: apt-get install$missing" >&2
		exit 1
	fi
	root="sudo"
fi
echo "installing:$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # the list is words
if ! { $root apt-get update -q && $root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing; } >"$log" 2>&1; then
	tail -n 20 "$log" >&2
	echo "the packages could not be installed" >&2
	exit 1
fi
