# Reads a Go cover profile and fails where a package is covered less than
# `least` percent. With -coverpkg a block is listed once for each test binary:
# it counts as covered if any of them reached it.
NR > 1 {
	statements[$1] = $2
	if ($3 > 0) hit[$1] = 1
}
END {
	for (block in statements) {
		package = block
		sub(/\/[^\/]*$/, "", package)
		total[package] += statements[block]
		if (block in hit) covered[package] += statements[block]
	}
	for (package in total) {
		percent = 100 * covered[package] / total[package]
		printf "%6.1f %%  %s\n", percent, package
		if (percent < least) failed = failed " " package
	}
	if (failed) {
		print "less than " least " %:" failed > "/dev/stderr"
		exit 1
	}
}
