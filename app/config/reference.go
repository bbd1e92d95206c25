package config

import (
	"reflect"

	"errand/planner/catalogue"
)

// Entry describes a key of errand.toml.
type Entry struct {
	Key     string // such as "policy.subresources", or "sites[].id" for a key of a list of tables
	Kind    Kind   // "" for a list of tables
	Default string // in TOML
	Choices []string
	Env     string // the environment variable that sets the key, or ""
	Doc     string
}

// Variable is an environment variable that doesn't set a key.
type Variable struct{ Name, Doc string }

// Reference describes every key, in the order of the file.
func Reference() []Entry {
	var out []Entry
	defaults := Default()
	for _, key := range Keys() {
		value, err := literal(valueOf(defaults, key))
		if err != nil {
			panic(err) // defaults are valid TOML
		}
		out = append(out, Entry{key, KindOf(key), value, choicesOf(key), EnvName(key), docs[key]})
		if table, isTable := tables[key]; isTable {
			for _, name := range names(table) {
				sub := key + "[]." + name
				out = append(out, Entry{Key: sub, Doc: docs[sub]})
			}
		}
	}
	for _, name := range names(reflect.TypeFor[Plugin]()) {
		key := "plugins.ID." + name
		e := Entry{Key: key, Doc: docs[key]}
		if name == "enabled" {
			e.Kind, e.Default, e.Env = Flag, "true", EnvName(key)
		}
		out = append(out, e)
	}
	return out
}

// tables are the lists of tables whose keys are described here. docs/policy.md describes
// those of policy.rules.
var tables = map[string]reflect.Type{
	"sites": reflect.TypeFor[catalogue.Site](),
	"apps":  reflect.TypeFor[catalogue.App](),
}

// docs describes each key.
var docs = map[string]string{
	"policy.allowed_domains":  `Hosts that Errand may contact. A bare host means that host over https; "*.example.com" means its subdomains; "@catalogue" means every site that Errand knows.`,
	"policy.allow_private":    `Private addresses that Errand may contact, with a port or as a CIDR block. Names are not accepted.`,
	"policy.subresources":     `What an allowed page may load from other hosts: anything public, or only listed hosts.`,
	"policy.user_goal_tools":  `Tools that run without approval when your own goal needs them. Patterns are allowed.`,
	"policy.redaction":        `Remove secrets from records and messages.`,
	"policy.persist_raw_html": `Must stay false: this version never keeps the HTML of pages.`,
	"policy.rules":            `Your own rules; deny beats ask beats allow. [policy.md](policy.md) lists their keys.`,
	"policy.budget.requests":  `Most network requests of one run; 0 means no limit.`,
	"policy.budget.hosts":     `Most different hosts of one run; 0 means no limit.`,
	"policy.budget.bytes":     `Most bytes that one run may send and receive together; 0 means no limit.`,

	"files.roots": `Folders that the file tools may use. "~/" is your home folder.`,

	"browser.bin":     `The browser's program. Empty: Errand searches for one; "errand doctor" lists where.`,
	"browser.mode":    `"managed": Errand runs its own Chromium behind its proxy. "external": Errand opens pages in your browser and enforces no network policy.`,
	"browser.profile": `The named profile to use. Empty: a new profile that is deleted after the run.`,
	"browser.show":    `Show the browser window while it works.`,
	"browser.cdp":     `DevTools address of a browser that you started. Errand enforces no network policy there.`,

	"search.default_platform": `The site to search when a goal names none.`,

	"sites":           `Sites of your own, for example for "search X on team wiki". "@catalogue" allows their hosts.`,
	"sites[].id":      `Unique name: lower-case letters, digits and "_".`,
	"sites[].name":    `The name to show. Empty: the id.`,
	"sites[].aliases": `Words that name the site in a goal.`,
	"sites[].home":    `The https address of its start page.`,
	"sites[].search":  `The https address of its search, with {query} once. Empty: the site can't be searched.`,
	"sites[].hosts":   `More hosts that belong to the site.`,
	"sites[].results": `CSS selectors of its search results: row, title and link.`,

	"apps":           `Apps of your own, for example for "open my notes".`,
	"apps[].id":      `Unique name: lower-case letters, digits and "_".`,
	"apps[].name":    `The name to show. Empty: the id.`,
	"apps[].aliases": `Words that name the app in a goal.`,
	"apps[].browser": `The app opens web pages.`,
	"apps[].exec":    `The command to start, as a list of arguments.`,
	"apps[].linux":   `Commands to try on Linux, in this order.`,
	"apps[].windows": `Commands to try on Windows, in this order.`,
	"apps[].darwin":  `Apps to try on macOS, in this order.`,

	"plugins.dirs":              `Folders that hold one folder for each plugin.`,
	"plugins.trusted_keys":      `minisign public keys whose signatures you trust.`,
	"plugins.require_signature": `Refuse plugins without a trusted signature, except the bundled ones.`,
	"plugins.ID.enabled":        `Load the plugin.`,
	"plugins.ID.config":         `Settings that the plugin reads.`,
	"plugins.ID.compile_effort": `Minutes that compiling a large plugin may take by Errand's estimate, 1 to 60, with 2 GiB of memory for each. Raise it only for a plugin that you trust.`,

	"run.step_timeout_ms":  `Time limit of one step, in milliseconds.`,
	"run.parallel":         `Most steps that run at the same time.`,
	"store.retention_days": `Days after which a run is deleted; 0 keeps runs for ever.`,

	"ui.language": `Language of the window and of the command line. Empty: the language of your system.`,
	"ui.theme":    `Colours of the window.`,

	"agent.internal.enabled":          `Reserved for the model-driven agent.`,
	"agent.internal.max_steps":        `Most steps of the agent.`,
	"agent.internal.max_wall_time_ms": `Time limit of the agent, in milliseconds.`,
	"agent.internal.max_failures":     `Failed steps after which the agent stops.`,
	"agent.internal.allowed_tools":    `Tools that the agent may call.`,
}

// Variables lists the environment variables that don't set keys.
func Variables() []Variable {
	return []Variable{
		{"ERRAND_CONFIG", `Path of errand.toml. --config beats it.`},
		{"HOME", `Your home folder. On Windows USERPROFILE, APPDATA and LOCALAPPDATA are used.`},
		{"XDG_CONFIG_HOME", `Folder of errand/errand.toml and errand/recipes, instead of ~/.config.`},
		{"XDG_DATA_HOME", `Folder of runs, drafts, pictures, plugins and the trash, instead of ~/.local/share.`},
		{"XDG_CACHE_HOME", `Folder of compiled plugins and browser profiles, instead of ~/.cache.`},
		{"XDG_STATE_HOME", `Folder of the window's size and place, instead of ~/.local/state.`},
		{"XDG_RUNTIME_DIR", `Folder of the window's socket.`},
		{"LC_ALL, LC_MESSAGES, LANG", `Language of the command line, and of "errand complete" when your words don't show it, if ui.language is empty.`},
		{"NO_COLOR, TERM", `NO_COLOR with any value, or TERM=dumb, turns colours off.`},
		{"USER, LOGNAME, USERNAME", `Your name in approvals.`},
		{"DISPLAY, WAYLAND_DISPLAY, XAUTHORITY", `The display on which Errand starts apps and browsers.`},
		{"SSL_CERT_FILE", `Certificates to trust, instead of the system's.`},
		{"GOGC", `Set it to change when Go collects garbage.`},
	}
}
