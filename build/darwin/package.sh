#!/bin/sh
# Makes bin/package/errand-VERSION-macos.dmg with Errand.app, the command line
# inside of it: on a Mac with Go, Node, Xcode's command line tools, and rsvg-convert
# (librsvg). The page has to be built, and the plugins copied into plugins/dist from
# a Debian machine, whose compiler makes them. This has been run by nobody yet.
#
# IDENTITY="Developer ID Application: …" signs; without it the program is signed
# for this machine alone, and others warn of it. NOTARY=profile, of notarytool
# store-credentials, has Apple look at it.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' app/app.go)
work=bin/darwin
app=$work/Errand.app/Contents
rm -rf "$work"
mkdir -p "$app/MacOS" "$app/Resources" bin/package

for program in errand errand-desktop; do
	case $program in
	errand) package=./cmd/errand cgo=0 tags="" ;;
	*) package=. cgo=1 tags=desktop,production ;;
	esac
	for arch in amd64 arm64; do
		GOOS=darwin GOARCH=$arch CGO_ENABLED=$cgo CGO_LDFLAGS="-framework UniformTypeIdentifiers -mmacosx-version-min=12.0" \
			${GO:-go} build -trimpath -tags "$tags" -ldflags "-s -w" -o "$work/$program-$arch" "$package"
	done
	lipo -create -output "$app/MacOS/$program" "$work/$program-amd64" "$work/$program-arm64"
done

icons=$work/errand.iconset
mkdir -p "$icons"
for size in 16 32 128 256 512; do
	rsvg-convert -w $size -h $size -o "$icons/icon_${size}x$size.png" build/icon.svg
	rsvg-convert -w $((2 * size)) -h $((2 * size)) -o "$icons/icon_${size}x$size@2x.png" build/icon.svg
done
iconutil -c icns -o "$app/Resources/errand.icns" "$icons"
sed "s/@VERSION@/$version/" build/darwin/Info.plist >"$app/Info.plist"
cp LICENSE "$app/Resources"

codesign --force --options runtime --sign "${IDENTITY:--}" "$app/MacOS/errand" "$work/Errand.app"
image=bin/package/errand-$version-macos.dmg
ln -s /Applications "$work/Applications"
rm -rf "$icons" "$work"/errand*
hdiutil create -volname Errand -srcfolder "$work" -ov -format UDZO "$image"
if [ -n "${NOTARY:-}" ]; then
	xcrun notarytool submit "$image" --keychain-profile "$NOTARY" --wait
	xcrun stapler staple "$image"
fi
ls -l "$image"
