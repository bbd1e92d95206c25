# The window: its page, its program and their tests. The main Makefile includes
# this and says what else the program embeds.

PAGE         := frontend/dist/index.html
PAGE_SOURCES := $(shell find frontend/src frontend/public -type f) \
                $(wildcard frontend/*.html frontend/*.json frontend/*.ts frontend/*.js)
PAGE_MODULES := frontend/node_modules/.package-lock.json

# GTK 3 and WebKitGTK 4.1; `desktop` and `production` are the toolkit's own tags.
DESKTOP_TAGS := desktop,production,webkit2_41

.PHONY: frontend desktop test-frontend test-desktop

frontend: $(PAGE) ## the window's page, in frontend/dist

$(PAGE_MODULES): frontend/package.json frontend/package-lock.json
	cd frontend && npm ci --no-fund --no-audit
	@touch $@

$(PAGE): $(PAGE_SOURCES) $(PAGE_MODULES)
	cd frontend && npm run build

desktop: frontend ## bin/errand-desktop, the window; needs GTK 3 and WebKitGTK 4.1
	CGO_ENABLED=1 go build -trimpath -tags $(DESKTOP_TAGS) -ldflags "-s -w" -o bin/errand-desktop .

test-frontend: $(PAGE_MODULES) ## types and stores of the page
	cd frontend && npm run check && npm test

test-desktop: desktop ## the window on a display of its own; pictures in bin/window
	@mkdir -p bin/window
	CGO_ENABLED=0 go test -tags window -count=1 -run Window -artifacts -outputdir bin/window -v ./app/desktop
