// Package config reads errand.toml and the environment into plain values for
// the floors below, and says of each value where it came from.
//
// Configuration fails closed: one unknown key, bad value or bad pattern is an
// error with its line, and nothing is guessed. No file is needed; the defaults
// are those of [Default].
package config

import (
	"errand/planner/catalogue"
	"errand/policy"
)

// Config is everything that a person can set. Field names in TOML are the
// contract of FORMATS; each key can also be set by an environment variable
// (policy.subresources by ERRAND_POLICY_SUBRESOURCES).
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
}

// Policy is the [policy] table.
type Policy struct {
	AllowedDomains []string      `toml:"allowed_domains"` // patterns; "@catalogue" = every built-in and own site's hosts
	AllowPrivate   []string      `toml:"allow_private"`   // addresses with a port, or CIDRs; never names
	Subresources   string        `toml:"subresources"`    // public | listed
	UserGoalTools  []string      `toml:"user_goal_tools"` // globs of tools that a person's own goal runs unasked
	Redaction      bool          `toml:"redaction"`
	PersistRawHTML bool          `toml:"persist_raw_html"`
	Rules          []policy.Rule `toml:"rules"`
	Budget         Budget        `toml:"budget"`
}

// Budget is [policy.budget]: what one run may let out to the network. 0 is no
// bound.
type Budget struct {
	Requests int `toml:"requests"` // of pages and of plugins
	Hosts    int `toml:"hosts"`    // different ones
	Bytes    int `toml:"bytes"`    // sent and received together
}

// Files is the [files] table.
type Files struct {
	Roots []string `toml:"roots"` // folders that file tools may touch; "~/" is the person's home
}

// Browser is the [browser] table.
type Browser struct {
	Bin     string `toml:"bin"`     // "": searched for
	Mode    string `toml:"mode"`    // managed | external
	Profile string `toml:"profile"` // "": thrown away after each run
	Show    bool   `toml:"show"`
	CDP     string `toml:"cdp"` // DevTools address of a browser of the person's own; "": one is started
}

// Search is the [search] table.
type Search struct {
	DefaultPlatform string `toml:"default_platform"` // a site of the catalogue that can search
}

// Plugins is the [plugins] table: what holds for all, and one table for each
// plugin.
type Plugins struct {
	Dirs             []string          `toml:"dirs"`
	TrustedKeys      []string          `toml:"trusted_keys"`      // minisign public keys of those whose plugins count as signed
	RequireSignature bool              `toml:"require_signature"` // nothing unsigned is installed or loaded but the bundled ones
	ByID             map[string]Plugin `toml:"-"`
}

// Plugin is [plugins.<id>]. A plugin without a table is enabled.
type Plugin struct {
	Enabled bool           `toml:"enabled"`
	Config  map[string]any `toml:"config"`
}

// Enabled reports whether the plugin may be loaded.
func (p Plugins) Enabled(id string) bool {
	plugin, listed := p.ByID[id]
	return !listed || plugin.Enabled
}

// Run is the [run] table.
type Run struct {
	StepTimeoutMS int `toml:"step_timeout_ms"` // 1 to 3,600,000
	Parallel      int `toml:"parallel"`        // 1 to 64 actions side by side
}

// Store is the [store] table.
type Store struct {
	RetentionDays int `toml:"retention_days"` // 0: kept for ever
}

// UI is the [ui] table.
type UI struct {
	Language string `toml:"language"` // "", en, ru
	Theme    string `toml:"theme"`    // system, light, dark, contrast
}

// Agent is the [agent] table.
type Agent struct {
	Internal Internal `toml:"internal"`
}

// Internal is [agent.internal]: the bounded loop, off unless a person turns it
// on (agent plan, W7).
type Internal struct {
	Enabled       bool     `toml:"enabled"`
	MaxSteps      int      `toml:"max_steps"`
	MaxWallTimeMS int      `toml:"max_wall_time_ms"`
	MaxFailures   int      `toml:"max_failures"`
	AllowedTools  []string `toml:"allowed_tools"`
}

// Default is the configuration of a machine without errand.toml.
func Default() Config {
	return Config{
		Policy: Policy{
			AllowedDomains: []string{"@catalogue"},
			AllowPrivate:   []string{},
			Subresources:   "public",
			UserGoalTools: []string{
				"system.apps.launch.shell", "system.query",
				"files.create_folder", "files.create_file", "hash.*", "text.*",
			},
			Redaction: true,
			Rules:     []policy.Rule{},
			Budget:    Budget{Requests: 20_000, Hosts: 1_000, Bytes: 4 << 30},
		},
		Files:   Files{Roots: []string{"~/Documents", "~/Desktop", "~/Downloads"}},
		Browser: Browser{Mode: "managed"},
		Search:  Search{DefaultPlatform: "google"},
		Sites:   []catalogue.Site{},
		Apps:    []catalogue.App{},
		Plugins: Plugins{Dirs: []string{}, TrustedKeys: []string{}, ByID: map[string]Plugin{}},
		Run:     Run{StepTimeoutMS: 30_000, Parallel: 4},
		Store:   Store{RetentionDays: 90},
		UI:      UI{Theme: "system"},
		Agent: Agent{Internal{
			MaxSteps: 12, MaxWallTimeMS: 90_000, MaxFailures: 3, AllowedTools: []string{},
		}},
	}
}
