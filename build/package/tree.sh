#!/bin/sh
# Lays out what a package installs, below the folder $1 as below /usr: programs,
# manual pages, completions, icons, the desktop's entry, documents. The programs
# are taken from bin/; dates come from SOURCE_DATE_EPOCH, so that the same
# programs give the same tree.
set -eu
cd "$(dirname "$0")/../.."
tree=$1
version=$(bin/errand --version | cut -d' ' -f2)
date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)

fill() { sed -e "s/@VERSION@/$version/g" -e "s/@DATE@/$date/g" "$1"; }

rm -rf "$tree"
umask 022
share=$tree/share doc=$tree/share/doc/errand
mkdir -p "$tree/bin" "$share/man/man1" "$share/applications" "$share/metainfo" "$doc"
install -m 755 bin/errand bin/errand-desktop "$tree/bin"
install -D -m 755 bin/errand-rego "$tree/libexec/errand/errand-rego" # errand starts it, nobody else

${GO:-go} run ./build/man -out "$share/man"
fill build/package/errand-desktop.1 >"$share/man/man1/errand-desktop.1"
gzip -9n "$share"/man/man*/*

mkdir -p "$share/bash-completion/completions" "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d"
bin/errand completion bash >"$share/bash-completion/completions/errand"
bin/errand completion zsh >"$share/zsh/vendor-completions/_errand"
bin/errand completion fish >"$share/fish/vendor_completions.d/errand.fish"

install -m 644 build/package/errand.desktop "$share/applications"
fill build/package/errand.metainfo.xml >"$share/metainfo/errand.metainfo.xml"
icons=$share/icons/hicolor
for size in 16 22 24 32 48 64 128 256 512; do
	mkdir -p "$icons/${size}x$size/apps"
	rsvg-convert -w $size -h $size -o "$icons/${size}x$size/apps/errand.png" build/icon.svg
done
mkdir -p "$icons/scalable/apps"
install -m 644 build/icon.svg "$icons/scalable/apps/errand.svg"

install -m 644 README.md docs/*.md "$doc"
gzip -9nc CHANGELOG.md >"$doc/CHANGELOG.md.gz"
${GO:-go} run ./build/notices -page frontend/dist/licenses.md -crates plugins/Cargo.lock \
	bin/errand bin/errand-rego bin/errand-desktop | gzip -9n >"$doc/third-party.txt.gz"
