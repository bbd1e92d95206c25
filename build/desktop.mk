# The window: its page, its program and their tests.

PAGE         := frontend/dist/index.html
PAGE_SOURCES := $(shell find frontend/src frontend/public -type f) \
                $(wildcard frontend/*.html frontend/*.json frontend/*.ts frontend/*.js app/i18n/*.toml)
PAGE_MODULES := frontend/node_modules/.package-lock.json

# GTK 3 and WebKitGTK 4.1; desktop and production are the toolkit's own tags.
DESKTOP_TAGS := desktop,production,webkit2_41

.PHONY: frontend
frontend: $(PAGE) ## The window's page: frontend/dist

$(PAGE_MODULES): frontend/package.json frontend/package-lock.json
	@command -v npm >/dev/null || { echo "npm is missing: install Node 20 or newer, with npm" >&2; exit 1; }
	cd frontend && npm ci --no-fund --no-audit
	@touch $@

$(PAGE): $(PAGE_SOURCES) $(PAGE_MODULES)
	cd frontend && npm run build

.PHONY: desktop
desktop: plugins frontend ## The window, with its plugins inside: bin/errand-desktop
	@build/need.sh $(WINDOW)
	$(MAKE) tables
	CGO_ENABLED=1 $(GO) build -trimpath -tags $(DESKTOP_TAGS) -ldflags "-s -w" -o bin/errand-desktop .

.PHONY: serve
serve: build ## The window's page in your browser: errand serve --open; OFFLINE=1: against built-in pages
	bin/errand serve --open $(if $(OFFLINE),--demo)

.PHONY: dev
dev: build ## The page from its sources, reloaded as they are saved; OFFLINE=1: against built-in pages
	cd frontend && node dev.js $(if $(OFFLINE),--demo)

.PHONY: test-frontend
test-frontend: $(PAGE_MODULES) ## Types and stores of the page
	cd frontend && npm run check && npm test

E2E_MODULES := frontend/e2e/node_modules/.package-lock.json

# The system's Chromium is used: none is downloaded.
$(E2E_MODULES): frontend/e2e/package.json frontend/e2e/package-lock.json
	cd frontend/e2e && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-fund --no-audit
	@touch $@

.PHONY: test-e2e
test-e2e: build $(E2E_MODULES) ## The page in Chromium against `errand serve --demo`
	@build/need.sh $(BROWSER)
	cd frontend/e2e && npm run check && npm test -- $(SPECS)

.PHONY: screens
screens: build $(E2E_MODULES) ## Pictures of every screen, light and dark: docs/screens
	@build/need.sh $(BROWSER) fonts-inter
	cd frontend/e2e && FONTCONFIG_FILE=$(CURDIR)/build/screens.conf npm run screens

.PHONY: test-desktop
test-desktop: desktop ## The window on a display of its own; pictures in bin/window
	@build/need.sh $(BROWSER)
	@rm -rf bin/window && mkdir -p bin/window
	$(GO) vet -tags window ./app/desktop/shell
	$(GO) test -tags window -count=1 -run '^TestWindow' -artifacts -outputdir bin/window -v ./app/desktop/shell
