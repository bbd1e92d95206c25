// Package config reads errand.toml and the environment into plain values. It records the
// source of every value.
//
// Loading fails on any unknown key, invalid value or invalid pattern, and reports its
// line. The file is optional; [Default] has the defaults.
package config

import (
	"maps"

	"errand/planner/catalogue"
	"errand/policy"
)

// Config holds every setting of the user. The TOML names are public and documented. An
// environment variable can set each key, such as ERRAND_POLICY_SUBRESOURCES for
// policy.subresources.
type Config struct {
	Policy  Policy           `toml:"policy"`
	Files   Files            `toml:"files"`
	Browser Browser          `toml:"browser"`
	Search  Search           `toml:"search"`
	Sites   []catalogue.Site `toml:"sites"`
	Apps    []catalogue.App  `toml:"apps"`
	Plugins Plugins          `toml:"plugins"`
	Run     Run              `toml:"run"`
	Store   Store            `toml:"store"`
	UI      UI               `toml:"ui"`
	Agent   Agent            `toml:"agent"`
	LLM     LLM              `toml:"llm"`
	API     API              `toml:"api"`
	Jobs    Jobs             `toml:"jobs"`
	MCP     MCP              `toml:"mcp"`

	Telegram Telegram `toml:"telegram"`
	Voice    Voice    `toml:"voice"`
}

// Policy is the [policy] table.
type Policy struct {
	AllowedDomains []string      `toml:"allowed_domains"` // patterns; "@catalogue" stands for the hosts of all known sites
	AllowPrivate   []string      `toml:"allow_private"`   // addresses with a port, or CIDRs; never names
	Subresources   string        `toml:"subresources"`    // public | listed
	UserGoalTools  []string      `toml:"user_goal_tools"` // globs of tools that the user's own goals run without approval
	Redaction      bool          `toml:"redaction"`
	PersistRawHTML bool          `toml:"persist_raw_html"`
	BlockPrivate   bool          `toml:"block_private_ranges"` // only true is legal
	Rules          []policy.Rule `toml:"rules"`
	Rego           []string      `toml:"rego"` // patterns of policy files in Rego, relative to the folder of errand.toml
	Budget         Budget        `toml:"budget"`
}

// Budget is [policy.budget]: limits on the network traffic of one run. 0 means no limit.
type Budget struct {
	Requests int `toml:"requests"` // by pages and plugins
	Hosts    int `toml:"hosts"`    // distinct hosts
	Bytes    int `toml:"bytes"`    // sent plus received
}

// Files is the [files] table.
type Files struct {
	Roots []string `toml:"roots"` // folders that file tools may access; "~/" is the home folder
}

// Browser is the [browser] table.
type Browser struct {
	Bin     string `toml:"bin"`     // "": search for one
	Mode    string `toml:"mode"`    // managed | external
	Profile string `toml:"profile"` // "": use a temporary profile for each run
	Show    string `toml:"show"`    // auto | always | never
	CDP     string `toml:"cdp"`     // DevTools address of the user's browser; "": start one
}

// Values of [Browser].Show.
const (
	ShowAuto   = "auto"   // pages that a goal opens, if there is a display
	ShowAlways = "always" // also pages that a goal only reads
	ShowNever  = "never"
)

// Search is the [search] table.
type Search struct {
	DefaultPlatform string `toml:"default_platform"` // a site of the catalogue that supports search
	Maps            string `toml:"maps"`             // like DefaultPlatform, for one topic; "": DefaultPlatform
	Weather         string `toml:"weather"`
	News            string `toml:"news"`
	Define          string `toml:"define"`
	Currency        string `toml:"currency"`
	Media           string `toml:"media"` // "": asked once
}

// Topics returns the topics that have a site of their own, and these sites.
func (s Search) Topics() map[string]string {
	all := map[string]string{"maps": s.Maps, "directions": s.Maps, "weather": s.Weather, "news": s.News, "define": s.Define, "currency": s.Currency, "media": s.Media}
	maps.DeleteFunc(all, func(_, site string) bool { return site == "" })
	return all
}

// Plugins is the [plugins] table: general settings and one table for each plugin.
type Plugins struct {
	Dirs             []string          `toml:"dirs"`
	TrustedKeys      []string          `toml:"trusted_keys"`      // minisign public keys that are trusted to sign plugins
	RequireSignature bool              `toml:"require_signature"` // only signed and bundled plugins may be installed and loaded
	ByID             map[string]Plugin `toml:"-"`
}

// Plugin is [plugins.<id>]. A plugin without a table is enabled.
type Plugin struct {
	Enabled bool           `toml:"enabled"`
	Config  map[string]any `toml:"config"`
	// Preferred makes goals use the plugin's tools rather than others that can do the same.
	Preferred bool `toml:"preferred"`
	// CompileEffort raises the bounds on compiling the plugin: 1 to MaxEffort
	// minutes by the estimate, with 2 GiB of memory for each. 0 means 1.
	CompileEffort int `toml:"compile_effort"`
}

// MaxEffort is the maximum of [Plugin].CompileEffort.
const MaxEffort = 60

// Enabled reports whether the plugin may be loaded.
func (p Plugins) Enabled(id string) bool {
	plugin, listed := p.ByID[id]
	return !listed || plugin.Enabled
}

// Effort returns the factor by which the bounds on compiling a plugin are raised.
func (p Plugins) Effort(id string) int { return max(p.ByID[id].CompileEffort, 1) }

// Run is the [run] table.
type Run struct {
	StepTimeoutMS int `toml:"step_timeout_ms"` // 1 to 3,600,000
	Parallel      int `toml:"parallel"`        // 1 to 64 concurrent actions
}

// Store is the [store] table.
type Store struct {
	RetentionDays int `toml:"retention_days"` // 0: keep records for ever
}

// UI is the [ui] table.
type UI struct {
	Language string `toml:"language"` // "", en, ru
	Theme    string `toml:"theme"`    // system, light, dark, contrast

	WakeWords []string `toml:"wake_words"` // names by which the user addresses Errand, besides the built-in ones
}

// Agent is the [agent] table.
type Agent struct {
	Internal Internal `toml:"internal"`
}

// Values of agent.internal.on_denied.
const (
	OnDeniedStop     = "stop"
	OnDeniedContinue = "continue"
)

// Internal is [agent.internal]: the bounded agent loop, which is off by default.
type Internal struct {
	Enabled       bool     `toml:"enabled"`
	MaxSteps      int      `toml:"max_steps"`
	MaxWallTimeMS int      `toml:"max_wall_time_ms"`
	MaxFailures   int      `toml:"max_failures"`
	MaxNoOps      int      `toml:"max_no_ops"`
	MaxTokens     int      `toml:"max_tokens"`         // of one run, sent and received; 0: no limit
	MaxTokensDay  int      `toml:"max_tokens_per_day"` // of all runs of a day; 0: no limit
	AllowedTools  []string `toml:"allowed_tools"`
	Providers     []string `toml:"providers"` // in the order in which they are asked
	OnDenied      string   `toml:"on_denied"` // a call that policy denies or the user rejects: stop | continue
	RecordPrompts bool     `toml:"record_prompts"`
	PromptExtra   string   `toml:"prompt_extra"`
}

// Default returns the configuration that applies without errand.toml.
func Default() Config {
	return Config{
		Policy: Policy{
			AllowedDomains: []string{KnownSites},
			AllowPrivate:   []string{},
			Subresources:   "public",
			Rego:           []string{},
			UserGoalTools: []string{
				"system.apps.launch.shell", "system.apps.switch", "system.apps.minimize", "system.apps.maximize", "system.query", "system.calculate",
				"desktop.set_volume", "desktop.mute", "desktop.media_key", "desktop.set_clipboard", "desktop.notify", "desktop.lock", "desktop.set_brightness", "desktop.turn", "desktop.screenshot",
				"timers.set", "timers.schedule", "timers.watch", "timers.list", "timers.cancel", "timers.snooze",
				"files.create_folder", "files.create_file", "files.move", "files.copy", "files.append",
				"archive.create", "system.open_path", "system.set_setting", "browser.fill", "hash.*", "text.*",
			},
			Redaction: true, BlockPrivate: true,
			Rules:  []policy.Rule{},
			Budget: Budget{Requests: 20_000, Hosts: 1_000, Bytes: 4 << 30},
		},
		Files:   Files{Roots: []string{"~/Documents", "~/Desktop", "~/Downloads"}},
		Browser: Browser{Mode: "managed", Show: ShowAuto},
		Search:  Search{DefaultPlatform: "google", Maps: "google_maps"},
		Sites:   []catalogue.Site{},
		Apps:    []catalogue.App{},
		Plugins: Plugins{Dirs: []string{}, TrustedKeys: []string{}, ByID: map[string]Plugin{}},
		Run:     Run{StepTimeoutMS: 30_000, Parallel: 4},
		Store:   Store{RetentionDays: 90},
		UI:      UI{Theme: "system", WakeWords: []string{}},
		Agent: Agent{Internal{
			MaxSteps: 12, MaxWallTimeMS: 90_000, MaxFailures: 3, MaxNoOps: 3, MaxTokens: 200_000, MaxTokensDay: 1_000_000,
			AllowedTools: []string{}, Providers: ProviderNames(), OnDenied: OnDeniedStop,
		}},
		LLM:  defaultLLM(),
		Jobs: Jobs{Workers: 1, Queue: 100, MaxTimeMS: 600_000},
		MCP: MCP{Server: MCPServer{Tools: []string{
			"browser.*", "files.*", "hash.*", "text.*", "json.*",
			"system.query", "system.calculate", "system.day", "system.world_time", "system.apps.launch.shell",
		}}, Servers: map[string]ToolServer{}},
		Telegram: Telegram{BaseURL: "https://api.telegram.org", TokenFrom: "env:TELEGRAM_BOT_TOKEN"},
		Voice:    Voice{Command: []string{}, TimeoutMS: 60_000},
	}
}
