# Packages for Debian and, as a tar.gz, for other Linux systems: bin/package.
# build/windows and build/darwin say how those for the other systems are made.

PACK  := dpkg-dev librsvg2-bin
CLEAN := mmdebstrap bubblewrap

.PHONY: package
package: build desktop ## A .deb and a tar.gz with command line and window: bin/package
	@build/need.sh $(PACK)
	GO=$(GO) build/package/pack.sh

.PHONY: test-package
test-package: package ## Install the .deb in a clean Debian, use it, purge it, look for what is left (as root; takes minutes)
	@build/need.sh $(CLEAN) lintian desktop-file-utils appstream
	build/package/check.sh bin/package/*.deb
	build/package/test.sh bin/package/*.deb
