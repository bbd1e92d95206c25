#!/bin/sh
# What an ordinary user does with the installed package, on a display of its own:
# test.sh runs this in a clean Debian.
set -eu
cd "$HOME"
fail() { echo "$*" >&2; tail -n 20 window.log >&2 2>/dev/null || true; exit 1; }

errand --version
errand plan "open youtube and search nvidia" || fail "errand plan: $?"
errand doctor || true # what it thinks of a machine without a network is its own affair

# soon tries a command for a minute.
soon() {
	n=0
	until "$@" >/dev/null 2>&1; do
		n=$((n + 1))
		[ $n -lt 240 ] || fail "not within a minute: $*"
		sleep 0.25
	done
}

export DISPLAY=:7
Xvfb $DISPLAY -screen 0 1280x860x24 -nolisten tcp >/dev/null 2>&1 &
xvfb=$!
soon xdotool getmouselocation
# As the desktop's menu starts it.
program=$(sed -n '/^Exec=/{s///p;q}' /usr/share/applications/errand.desktop)
dbus-run-session -- $program -demo >window.log 2>&1 &
window=$!
soon grep -q 'window ready' window.log
id=$(xdotool search --sync --onlyvisible --name '^Errand$' | tail -n 1)
xdotool windowfocus --sync "$id"
xdotool type --delay 15 "open youtube and search nvidia"
xdotool key Return
soon grep -q -E 'status=(done|failed)' window.log
grep -q 'status=done' window.log || fail "the run did not succeed"
soon xdotool search --onlyvisible --name Done
sleep 1
import -window root window.png
xdotool key ctrl+q
wait $window || fail "the window ended with $?"
kill $xvfb
wait $xvfb || true
# WebKit's own processes see that the window is gone a moment later.
running() { ps -u "$(id -u)" -o comm= | grep -v -x -e sh -e ps -e grep -e setpriv -e sleep || true; }
n=0
while [ -n "$(running)" ] && [ $n -lt 20 ]; do
	n=$((n + 1))
	sleep 0.25
done
left=$(running)
[ -z "$left" ] || fail "left running: $left"
errand runs
