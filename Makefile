# Errand. `make help` lists the targets; `make run` and `make test` install what
# they need and say so.

GOAL    ?= open youtube and search nvidia
FUZZ    ?= 2s
GO      ?= go
TOOL     = $(GO) tool -modfile=build/tools/go.mod

# The command line is built without cgo; the race detector and the window need it.
export CGO_ENABLED ?= 0

BROWSER = chromium
CHECK   = gcc libc6-dev xvfb xdotool $(GUESTS)
GUESTS  = wabt clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 rustc libstd-rust-dev-wasm32
WINDOW  = gcc libc6-dev pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev xvfb xauth dbus dbus-x11 xdotool imagemagick

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## Carry out GOAL="open youtube and search nvidia"; OFFLINE=1: against built-in pages
	@build/need.sh $(BROWSER)
ifdef OFFLINE
	bin/errand demo "$(GOAL)"
else
	@echo 'bin/errand run "$(GOAL)"'; bin/errand run "$(GOAL)" || { code=$$?; \
	  [ $$code -ne 1 ] || echo 'no network? `make run OFFLINE=1` does the same job against pages built into the program' >&2; exit $$code; }
endif

.PHONY: test
test: check test-frontend test-desktop ## Everything that the build server runs
	@echo "all tests passed"

.PHONY: build
build: bin/errand ## The command line with its plugins inside: bin/errand

.PHONY: bin/errand
bin/errand: plugins
	$(GO) build -trimpath -ldflags "-s -w" -o $@ ./cmd/errand

.PHONY: check
check: plugins ## Format, vet, staticcheck, imports, race and shuffle tests, short fuzz runs, generated files
	@build/need.sh $(BROWSER) $(CHECK)
	$(MAKE) lint
	$(GO) test ./host/wasm # compiles the plugins, which under the race detector takes ten times as long
	CGO_ENABLED=1 $(GO) test -race -shuffle=on -timeout 15m ./...
	$(GO) test -run 'Grows|Bounded' ./policy/quarantine # what the race detector would distort
	$(GO) test -run SmallWorlds ./planner # a million of them, where it takes 60,000
	$(MAKE) fuzz

.PHONY: lint
lint: ## Format, vet, staticcheck
	@unformatted=$$($(TOOL) gofumpt -l .) && [ -z "$$unformatted" ] || { echo "not formatted, run make fmt: $$unformatted" >&2; exit 1; }
	$(GO) vet ./...
	$(TOOL) staticcheck ./...

.PHONY: fmt
fmt: ## Format the Go sources
	$(TOOL) gofumpt -w .

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZ=2s
	@GO=$(GO) build/fuzz.sh $(FUZZ)

.PHONY: bench
bench: plugins ## Run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

.PHONY: cover
cover: plugins ## Coverage; planner, policy, host/tool and host/run stay above 90 %
	@mkdir -p coverage
	$(GO) test -coverprofile coverage/all.out -coverpkg ./planner/...,./policy/...,./host/tool,./host/run ./planner/... ./policy/... ./host/tool ./host/run
	@awk -v least=90 -f build/cover.awk coverage/all.out

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin coverage plugins/dist/* plugins/target plugins/Cargo.lock $(GUEST_MODULES) $(SITE_MODULES) frontend/node_modules frontend/dist/assets frontend/dist/index.html

include build/plugins.mk
include build/guests.mk
include build/testsite.mk
include build/desktop.mk
include build/package.mk
