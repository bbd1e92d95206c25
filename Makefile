# Errand. `make help` lists the targets; `make run` and `make test` install what
# they need and say so.

GOAL    ?= open youtube and search nvidia
FUZZ    ?= 10s
# How long each fuzz target runs in the long tier.
LONG_FUZZ ?= 60s
GO      ?= go
TOOL     = $(GO) tool -modfile=build/tools/go.mod

# The command line is built without cgo; the race detector and the window need it.
export CGO_ENABLED ?= 0

# Everything is compiled in the same way, so that the program, its tests and vet share what is compiled.
export GOFLAGS := $(filter-out -trimpath,$(shell $(GO) env GOFLAGS)) -trimpath

# Many tests wait for a browser or another program: more packages are tested at a time than there
# are processors.
AT_ONCE := $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) * 3 / 2 )))

# What takes longest is begun first, so that nothing is waited for at the end.
LONGEST = ./app/cli ./host/browser ./app

# The compiler and the tests collect garbage less often, which takes up to a fifth off their time.
FEWER_COLLECTIONS = GOGC=400 GOMEMLIMIT=2GiB

# Shuffled tests always run. In their fixed order, Go skips those of a package in which
# nothing has changed since they passed.
SHUFFLE ?= $(if $(CI),-shuffle=on)

BROWSER = chromium
CHECK   = gcc libc6-dev xvfb xdotool x11-utils openbox dbus-daemon xclip pulseaudio pulseaudio-utils pipewire pipewire-bin wireplumber postgresql $(GUESTS)
GUESTS  = wabt clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 libc++-14-dev-wasm32 rustc libstd-rust-dev-wasm32
WINDOW  = gcc libc6-dev pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev xvfb xauth dbus dbus-x11 xdotool openbox imagemagick

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## Carry out GOAL="open youtube and search nvidia"; without a network, or with OFFLINE=1, against built-in pages
	@build/need.sh $(BROWSER)
	@OFFLINE=$(OFFLINE) build/run.sh "$(GOAL)"

# The tests come in two tiers. `make test` has every kind of test in it and
# samples what is large; ERRAND_TEST=long makes the same tests go through all of
# it. Built artefacts are handed to the tests, so that none builds them again.
.PHONY: test
test: export PLUGINS_DIST = $(CURDIR)/plugins/dist
test: export ERRAND_BIN = $(CURDIR)/bin/errand
test: export ERRAND_REGO = $(CURDIR)/bin/errand-rego
test: check test-frontend desktop ## What the build server runs: every kind of test, long corpora sampled
	$(MAKE) -j 3 --output-sync=target soak test-desktop test-e2e DURATION=60s SPECS="tests/goal.spec.ts tests/russian.spec.ts"
	@echo "all tests passed"

.PHONY: test-all
test-all: export ERRAND_TEST = long
test-all: export SHUFFLE = -shuffle=on
test-all: export PLUGINS_DIST = $(CURDIR)/plugins/dist
test-all: export ERRAND_BIN = $(CURDIR)/bin/errand
test-all: export ERRAND_REGO = $(CURDIR)/bin/errand-rego
test-all: lint tools build test-frontend ## Everything: corpora and worlds in full, the race detector everywhere, long fuzzing, all pages, packages
	$(GO) test -vet=off -p $(AT_ONCE) $(SHUFFLE) -timeout 60m $(LONGEST) ./...
	$(MAKE) race WATCHED="$$($(GO) list ./... | grep -vxF "$$($(GO) list $(PURE))" | tr '\n' ' ')"
	$(MAKE) test-sdk
	$(MAKE) test-rego
	$(MAKE) fuzz FUZZ=$(LONG_FUZZ)
	$(MAKE) test-e2e
	$(MAKE) test-desktop
	$(MAKE) test-api-client
	$(MAKE) soak DURATION=10m
	$(MAKE) test-package
	@echo "all tests passed, the long ones too"

.PHONY: test-rego
test-rego: ## The compiler of policies, and that the cases of OPA are those that it can run
	cd cmd/errand-rego && $(GO) vet ./... && $(GO) test ./...

.PHONY: test-sdk
test-sdk: ## The server for tests of language models, with the SDKs of OpenAI and Anthropic
	cd host/llm/testdata/sdk && $(GO) mod tidy -diff && $(GO) test ./...

.PHONY: build
build: bin/errand bin/errand-rego ## The command line, with its plugins and the window's page inside: bin/errand

.PHONY: bin/errand
bin/errand: plugins frontend
	$(MAKE) tables
	$(GO) build -trimpath -ldflags "-s -w" -o $@ ./cmd/errand

# The compiler of policies in Rego, a module of its own.
.PHONY: bin/errand-rego
bin/errand-rego:
	cd cmd/errand-rego && $(GO) build -trimpath -ldflags "-s -w" -o $(CURDIR)/$@ .

# The catalogue, the vocabulary, the triggers of secrets, the manifests of the bundled plugins
# and the arguments of tools in the form in which the program uses them. Without the files it
# works them out from the data at each start.
TABLES = planner/catalogue/built.go planner/interpret/lexicon/built.go policy/redact/find/built.go policy/quarantine/built.go host/tool/built.go host/wasm/manifest/built.go

.PHONY: tables
tables: $(lastword $(TABLES)) ## What the program knows of words, sites and its plugins, as Go

$(lastword $(TABLES)): $(wildcard planner/catalogue/*.toml planner/interpret/lexicon/lang/*.toml planner/interpret/lexicon/spelling/*.txt policy/redact/find/rules/*.toml policy/redact/find/gitleaks/*.toml policy/quarantine/rules/*.toml policy/quarantine/rules/*/*.toml plugins/dist/*/plugin.toml build/tables/*.go) \
                       $(filter-out $(TABLES), $(wildcard planner/catalogue/*.go planner/interpret/lexicon/*.go policy/redact/find/*.go policy/quarantine/*.go policy/quarantine/view/*.go host/wasm/manifest/*.go host/tool/*.go host/browser/actions/*.go host/files/*.go host/system/*.go))
	rm -f $(TABLES)
	$(GO) run ./build/tables

.PHONY: spelling
spelling: ## The words that spelling is corrected to, and the words that resemble them
	@build/need.sh wamerican hunspell-ru
	$(GO) run ./build/spelling

.PHONY: tools
tools: ## Install the Debian packages that the tests use
	@build/need.sh $(BROWSER) $(CHECK)

.PHONY: check
check: ## Format, vet, staticcheck, all Go tests, and under the race detector those of what goroutines share
	$(MAKE) -j 2 lint tools # tools waits for the network
	$(MAKE) build
	$(FEWER_COLLECTIONS) $(GO) test -vet=off -p $(AT_ONCE) $(SHUFFLE) -timeout 20m $(LONGEST) ./...
	$(MAKE) race

# Pure packages share next to nothing between goroutines, and their tests go
# through corpora and spaces of small worlds: the race detector would take ten times as long
# over them. Their tests of concurrent use (…AtOnce) run under it.
PURE = ./planner/... ./policy ./policy/approval ./policy/quarantine/... ./policy/redact/... ./host/wasm/meter

# Packages whose goroutines share state, and that start no browser: `make test`
# watches these, `make test-all` every package that is not pure.
WATCHED = ./host/run ./host/store/... ./host/jobs/... ./host/event ./host/wasm/pool ./host/wasm/linear ./host/wasm/engine ./app/desktop ./app/web ./policy/guard

# The race detector watches all but two things that others wrote, that share
# nothing and take most of the tests' time under it: wazero's compiler (its
# runtime is watched), and SQLite as it was translated from C, whose memory the
# detector doesn't know. No package may be named here that instantiates a generic type of
# sync or sync/atomic: the linker may take that unwatched copy for all packages.
UNWATCHED = github.com/tetratelabs/wazero/internal/engine/wazevo/ssa \
            github.com/tetratelabs/wazero/internal/engine/wazevo/frontend \
            github.com/tetratelabs/wazero/internal/engine/wazevo/backend/... \
            github.com/tetratelabs/wazero/internal/wasm/binary \
            modernc.org/sqlite/lib
RACE      = -race -vet=off $(foreach package,$(UNWATCHED),-gcflags=$(package)=-race=false) -p $(AT_ONCE) $(SHUFFLE) -timeout 30m

.PHONY: race
race: export CGO_ENABLED = 1
race: export GORACE = atexit_sleep_ms=100
race: ## The tests of WATCHED, and of concurrent use everywhere, under the race detector
	$(GO) test $(RACE) $(WATCHED)
	$(GO) test $(RACE) -run AtOnce $$(grep -rl 'func Test.*AtOnce' --include='*_test.go' planner policy | xargs -n 1 dirname | sort -u | sed 's|^|./|')

# The programs: a function that none of them can reach belongs into a test, or nowhere.
PROGRAMS = . ./cmd/errand ./build/bench-start ./build/man ./build/notices ./build/plugin-pack ./build/spelling ./build/tables

.PHONY: lint
lint: ## Format, vet, staticcheck, unused functions
	@unformatted=$$($(TOOL) gofumpt -l .) && [ -z "$$unformatted" ] || { echo "not formatted, run make fmt: $$unformatted" >&2; exit 1; }
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	@unused=$$($(TOOL) deadcode $(PROGRAMS)) && [ -z "$$unused" ] || { echo "no program uses: $$unused" >&2; exit 1; }

.PHONY: fmt
fmt: ## Format the Go sources
	$(TOOL) gofumpt -w .

.PHONY: test-api-client
test-api-client: export ERRAND_BIN ?= $(CURDIR)/bin/errand
test-api-client: build ## A client that is generated from the document of the local API runs a job
	cd build/apiclient && $(GO) generate ./... && $(GO) test -count 1 ./...

DURATION ?= 1h

.PHONY: soak
soak: ## Two job servers that are busy for DURATION=1h, with faults and kills, and what they leave
	@[ -x bin/errand ] || $(MAKE) build
	SOAK=$(DURATION) ERRAND_BIN=$(CURDIR)/bin/errand $(GO) test -vet=off -count 1 -v -timeout 0 ./build/soak

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZ=10s
	@GO=$(GO) build/fuzz.sh $(FUZZ)

.PHONY: bench
bench: plugins ## Run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

.PHONY: bench-start
bench-start: build ## How long errand takes to start and end, beside a Go program that does nothing
	$(GO) run ./build/bench-start bin/errand

.PHONY: bench-host
bench-host: ## The plugin host beside Extism's SDK and wazero alone, as in docs/plugin-host.md; on a machine with nothing else to do
	@build/need.sh $(CHECK)
	$(MAKE) $(GUEST_MODULES)/.package-lock.json
	cd host/wasm/testdata/bench && $(GO) run .

.PHONY: bench-browser
bench-browser: ## What an action costs beside the same on bare rod, and a snapshot; on a machine with nothing else to do
	$(GO) test -run '^$$' -bench 'BenchmarkAction|BenchmarkSnapshot' -benchtime 50x ./host/browser

.PHONY: cover
cover: plugins ## Coverage; planner, policy, host/tool and host/run stay above 90 %
	@mkdir -p coverage
	$(GO) test -coverprofile coverage/all.out -coverpkg ./planner/...,./policy/...,./host/tool,./host/run ./planner/... ./policy/... ./host/tool ./host/run
	@awk -v least=90 -f build/cover.awk coverage/all.out

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin coverage $(TABLES) plugins/dist/* plugins/target plugins/Cargo.lock $(GUEST_MODULES) $(SITE_MODULES) frontend/node_modules frontend/e2e/node_modules frontend/e2e/results frontend/dist/assets frontend/dist/index.html

include build/plugins.mk
include build/guests.mk
include build/testsite.mk
include build/desktop.mk
include build/package.mk
