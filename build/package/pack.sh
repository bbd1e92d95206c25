#!/bin/sh
# Makes bin/package/errand_VERSION_ARCH.deb and errand-VERSION-linux-ARCH.tar.gz
# out of the programs in bin/. The same programs and SOURCE_DATE_EPOCH give the
# same bytes.
set -eu
cd "$(dirname "$0")/../.."
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH
export LC_ALL=C.UTF-8 TZ=UTC
maintainer=${MAINTAINER:-Errand maintainers <maintainers@errand.example>}
version=$(bin/errand --version | cut -d' ' -f2)
arch=$(dpkg --print-architecture)
out=bin/package
work=$out/work
rm -rf "$out"
mkdir -p "$work"

name=errand-$version
build/package/tree.sh "$work/$name"
cp LICENSE "$work/$name/share/doc/errand"
tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
	--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime -cf - "$name" |
	gzip -9n >"$out/errand-$version-linux-$arch.tar.gz"
rm "$work/$name/share/doc/errand/LICENSE" # Debian has it

root=$work/deb
doc=$root/usr/share/doc/errand
mkdir -p "$root/DEBIAN" "$work/debian"
mv "$work/$name" "$root/usr"
mkdir -p "$root/usr/share/lintian/overrides"
install -m 644 build/package/debian/copyright "$doc"
install -m 644 build/package/debian/lintian-overrides "$root/usr/share/lintian/overrides/errand"
gzip -9nc >"$doc/changelog.gz" <<EOF
errand ($version) unstable; urgency=medium

  * See CHANGELOG.md.gz.

 -- $maintainer  $(date -R -u -d "@$SOURCE_DATE_EPOCH")
EOF

# What the window is linked with, in the versions that it needs.
printf 'Source: errand\n\nPackage: errand\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O -e"deb/usr/bin/errand-desktop" | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "dpkg-shlibdeps found no library" >&2; exit 1; }

size=$(find "$root/usr" -type f -printf '%k\n' | awk '{ n += $1 } END { print n }')
sed -e "s/@VERSION@/$version/" -e "s/@ARCH@/$arch/" -e "s/@SIZE@/$size/" -e "s/@DEPENDS@/$depends/" \
	-e "s/@MAINTAINER@/$maintainer/" build/package/debian/control.in >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -print0 | xargs -0r touch -h -d "@$SOURCE_DATE_EPOCH"
dpkg-deb --root-owner-group -Zxz -b "$root" "$out/errand_${version}_$arch.deb"
rm -rf "$work"
ls -l "$out"
