#!/bin/sh
# Installs the .deb $1 in a clean Debian, runs window and command line there as an
# ordinary user, purges the package, and holds that nothing is left but the
# user's own data. Needs root, mmdebstrap, bubblewrap and the machine's Debian
# mirror; takes some minutes, most of them for WebKitGTK and Chromium.
# KEEP=1 leaves the clean Debian and says where.
set -eu
deb=$(readlink -f "$1")
here=$(readlink -f "$(dirname "$0")")
[ "$(id -u)" -eq 0 ] || { echo "run this as root" >&2; exit 1; }

work=$(mktemp -d)
root=$work/root
end() {
	code=$?
	if [ -n "${KEEP:-}" ]; then echo "kept: $work"; else rm -rf "$work"; fi
	exit $code
}
trap end EXIT

# Where the machine's own Debian comes from.
apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
	sort -u >"$work/sources"
[ -s "$work/sources" ] || { echo "apt knows no Debian mirror: run apt-get update" >&2; exit 1; }

say() { printf '%s\n' "--- $*"; }

say "a clean Debian with the test's own tools"
. /etc/os-release
mmdebstrap --quiet --variant=minbase --include=xvfb,dbus,xdotool,procps,imagemagick \
	"$VERSION_CODENAME" "$root" "$work/sources"
cp "$deb" "$root/errand.deb"
cp "$here/use.sh" "$root/use.sh"

# in runs a command in the clean Debian, in namespaces that end with it.
in_() {
	bwrap --bind "$root" / --proc /proc --dev /dev --perms 1777 --tmpfs /tmp --unshare-pid --unshare-ipc --unshare-uts --die-with-parent \
		--clearenv --setenv PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --setenv LC_ALL C.UTF-8 \
		--setenv DEBIAN_FRONTEND noninteractive --cap-add ALL "$@"
}
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp -o -path ./var/log -o -path ./var/cache \) -prune -o -print | LC_ALL=C sort); }

say "what the package depends on and recommends"
cp /etc/resolv.conf "$root/etc/resolv.conf"
wants="$(dpkg-deb -f "$deb" Depends), $(dpkg-deb -f "$deb" Recommends)"
echo "$wants"
in_ apt-get update -q >"$work/apt.log" 2>&1 || { tail "$work/apt.log"; exit 1; }
in_ apt-get satisfy -q -y --no-install-recommends "$wants" >"$work/apt.log" 2>&1 || { tail "$work/apt.log"; exit 1; }
in_ useradd --create-home --shell /bin/sh ann
files >"$work/before"

say "installed by dpkg, which finds all dependencies there"
in_ dpkg -i /errand.deb
files >"$work/installed"
in_ dpkg -V errand

say "used by ann"
in_ setpriv --reuid ann --regid ann --init-groups --reset-env sh /use.sh
cp "$root/home/ann/window.png" "$(dirname "$deb")/clean-root.png"

say "purged"
in_ dpkg --purge errand
files >"$work/after"

say "$(comm -13 "$work/before" "$work/installed" | wc -l) files and folders came with the package; what is there now and was not before:"
comm -13 "$work/before" "$work/after" >"$work/left"
cat "$work/left"
comm -23 "$work/before" "$work/after" >"$work/lost"
if grep -v '^\./home/ann/' "$work/left" || [ -s "$work/lost" ]; then
	echo "the package left these behind, or took away:"; cat "$work/lost"; exit 1
fi
say "nothing is left but ann's own data"
