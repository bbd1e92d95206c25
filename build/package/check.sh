#!/bin/sh
# Holds the .deb $1 against what Debian and the desktop expect of it.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dpkg-deb -x "$1" "$work"
desktop-file-validate "$work/usr/share/applications/errand.desktop"
# The project has no domain to name itself after.
appstreamcli validate --no-net --pedantic --override=cid-desktopapp-is-not-rdns=info "$work/usr/share/metainfo/errand.metainfo.xml"
lintian --fail-on error,warning "$1"
for shell in bash zsh; do
	command -v $shell >/dev/null || continue
	find "$work/usr/share/$shell"* -type f -exec $shell -n {} \;
done
