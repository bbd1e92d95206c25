#!/bin/sh
# fuzz.sh TIME: run every fuzz target for TIME, one on each processor at a time.
# fuzz.sh TIME FOLDER TARGET: run that one. GO names the go command.
#
# A run that is bounded by time may end in a bare "context deadline exceeded",
# with no input to blame: a race of Go's own fuzzer at the end of its time
# (go.dev/issue/75804). Such a target is run again, bounded by a count.
set -eu

if [ $# -eq 1 ]; then
	grep -rHoE '^func Fuzz[A-Za-z0-9_]*' --include='*_test.go' --exclude-dir=testdata --exclude-dir=node_modules . | sort |
		sed -E 's|/[^/]*:func | |' | xargs -n 2 -P "$(getconf _NPROCESSORS_ONLN)" "$0" "$1"
	exit
fi

run() {
	"${GO:-go}" test -run '^$' -fuzz "^$2\$" -fuzztime "$3" -fuzzminimizetime 1s -parallel 1 "$1" 2>&1
}

echo "fuzz $2 $3"
out=$(run "$2" "$3" "$1") && exit
case $out in
*'Failing input written'*) ;;
*'context deadline exceeded'*) out=$(run "$2" "$3" 100x) && exit ;;
esac
echo "$out" >&2
exit 255 # no further target
