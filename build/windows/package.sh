#!/bin/sh
# Makes bin/package/errand-VERSION-windows-amd64.exe, the installer: on Debian,
# since neither program needs cgo on Windows. The page and the plugins have to be
# built. Needs nsis, librsvg2-bin and imagemagick. No program is signed: who hands
# the installer on signs the three .exe files with a certificate of their own.
set -eu
cd "$(dirname "$0")/../.."
export GOOS=windows GOARCH=amd64 CGO_ENABLED=0
work=bin/windows
mkdir -p "$work" bin/package
${GO:-go} build -trimpath -ldflags "-s -w" -o "$work/errand.exe" ./cmd/errand
${GO:-go} build -trimpath -tags desktop,production -ldflags "-s -w -H windowsgui" -o "$work/errand-desktop.exe" .
unset GOOS GOARCH

sizes=""
for size in 16 24 32 48 64 256; do
	rsvg-convert -w $size -h $size -o "$work/$size.png" build/icon.svg
	sizes="$sizes $work/$size.png"
done
# shellcheck disable=SC2086 # the list is words
convert $sizes "$work/errand.ico"
# shellcheck disable=SC2086
rm $sizes
sed 's/$/\r/' LICENSE >"$work/LICENSE.txt"
${GO:-go} run ./build/notices -page frontend/dist/licenses.md -crates plugins/Cargo.lock \
	"$work/errand.exe" "$work/errand-desktop.exe" | sed 's/$/\r/' >"$work/third-party.txt"

version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' app/app.go)
makensis -V2 -WX -INPUTCHARSET UTF8 -DVERSION="$version" -DFILES="$PWD/$work" \
	-DOUT="$PWD/bin/package/errand-$version-windows-amd64.exe" build/windows/installer.nsi
ls -l bin/package/*.exe
