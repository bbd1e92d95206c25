package main_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
)

// rows says, for each package, what of ours and of the fenced packages it may
// import. "x/..." stands for x and everything below it. Standard library and
// third-party packages that no fence names are free.
//
// The direction is app → host → policy → planner: a package imports lower layers,
// and of its own layer the packages that its row names.
var rows = map[string][]string{
	".": {"errand/app/...", "errand/frontend", "errand/policy/redact", "github.com/wailsapp/wails/v2/...", "os", "net/http"},

	"planner/message":                {},
	"planner/plan":                   {},
	"planner/catalogue":              {},
	"planner/calc":                   {"errand/planner/wordlist"},
	"planner/moment":                 {"errand/planner/wordlist"},
	"planner/wordlist":               {},
	"planner/solve":                  {"errand/planner/plan"},
	"planner/installed":              {"errand/planner/catalogue", "errand/planner/script"},
	"planner":                        {"errand/planner/moment", "errand/planner/plan", "errand/planner/catalogue", "errand/planner/installed", "errand/planner/solve"},
	"planner/interpret":              {"errand/planner/plan", "errand/planner/catalogue", "errand/planner/installed"},
	"planner/interpret/command":      {"errand/planner/plan", "errand/planner/interpret/almanac", "errand/planner/interpret/calculation", "errand/planner/interpret/control", "errand/planner/interpret/files", "errand/planner/interpret/files/item", "errand/planner/interpret/lexicon", "errand/planner/interpret/page", "errand/planner/interpret/parse", "errand/planner/interpret/refusal", "errand/planner/interpret/tabs", "errand/planner/interpret/timer", "errand/planner/interpret/topic", "errand/planner/interpret/web"},
	"planner/interpret/filename":     {"errand/planner/plan", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse"},
	"planner/interpret/followup":     {"errand/planner/interpret", "errand/planner/interpret/filename", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/interpret/web", "errand/planner/plan"},
	"planner/interpret/lexicon":      {"errand/planner/plan", "errand/planner/catalogue"},
	"planner/interpret/parse":        {"errand/planner/plan", "errand/planner/installed", "errand/planner/interpret/lexicon"},
	"planner/interpret/web":          {"errand/planner/plan", "errand/planner/catalogue", "errand/planner/installed", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse"},
	"planner/interpret/files":        {"errand/planner/plan", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/interpret/files/filter", "errand/planner/interpret/files/item"},
	"planner/interpret/files/item":   {"errand/planner/plan", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse"},
	"planner/interpret/files/filter": {"errand/planner/plan", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse"},
	"planner/interpret/almanac":      {"errand/planner/moment", "errand/planner/wordlist", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/plan"},
	"planner/interpret/calculation":  {"errand/planner/calc", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/plan"},
	"planner/interpret/chat":         {"errand/planner/interpret/lexicon", "errand/planner/interpret/parse"},
	"planner/interpret/control":      {"errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/interpret/web", "errand/planner/plan"},
	"planner/interpret/refusal":      {"errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/plan"},
	"planner/interpret/timer":        {"errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/moment", "errand/planner/plan"},
	"planner/interpret/rephrase":     {"errand/planner/plan", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse"},
	"planner/interpret/topic":        {"errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/interpret/web", "errand/planner/plan"},
	"planner/interpret/named":        {"errand/planner/interpret", "errand/planner/interpret/refusal", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/phrase"},
	"planner/phrase":                 {"errand/planner/script"},
	"planner/script":                 {},
	"planner/interpret/tabs":         {"errand/planner/plan", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse"},
	"planner/interpret/page":         {"errand/planner/plan", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/interpret/web"},
	"planner/interpret/suggest":      {"errand/planner/plan", "errand/planner/catalogue", "errand/planner/interpret", "errand/planner/interpret/lexicon", "errand/planner/interpret/parse", "errand/planner/interpret/refusal", "errand/planner/interpret/web"},
	"planner/verify":                 {"errand/planner/plan"},

	"policy":                 {"errand/planner/plan", "errand/planner/script", "errand/policy/folder", "errand/policy/glob", "errand/policy/hostname", "errand/policy/pointer", "errand/policy/special", "errand/policy/urlpath", "errand/policy/urltext"},
	"policy/special":         {},
	"policy/urlpath":         {},
	"policy/urltext":         {},
	"policy/folder":          {},
	"policy/glob":            {},
	"policy/pointer":         {},
	"policy/hostname":        {"errand/planner/script"},
	"policy/website":         {"errand/policy"},
	"policy/policytest":      {"errand/planner/plan", "errand/policy"},
	"policy/rego":            {"errand/planner/plan", "errand/policy"},
	"policy/approval":        {"errand/planner/plan", "errand/policy"},
	"policy/redact":          {"errand/policy/redact/find"},
	"policy/redact/find":     {"errand/policy/rulefile"},
	"policy/quarantine":      {"errand/policy/quarantine/view", "errand/policy/rulefile"},
	"policy/quarantine/view": {"errand/policy/rulefile"},
	"policy/rulefile":        {},
	"policy/guard":           {"errand/policy", "net", "net/http", "crypto/tls", "os"},

	"host/tool":           {"errand/planner/plan"},
	"host/tool/schema":    {"errand/host/tool", "errand/host/tool/jsonstrict"},
	"host/event":          {"errand/host/tool"},
	"host/trace":          {"errand/host/tool"},
	"host/run":            {"errand/host/question", "errand/host/run/clock", "errand/host/run/planview", "errand/host/run/site", "errand/host/run/subject", "errand/host/realpath", "errand/host/tool/...", "errand/host/trace", "errand/policy", "errand/policy/approval", "errand/planner/plan", "errand/host/run/callscope"},
	"host/wasm":           {"errand/host/files/inode", "errand/host/filestate", "errand/host/realpath", "errand/host/tool/...", "errand/host/wasm/...", "errand/policy", "errand/policy/redact", "github.com/tetratelabs/wazero/...", "os", "net/http"},
	"host/wasm/fit":       {"errand/host/tool", "errand/host/wasm/hypermcp", "errand/host/wasm/inspect", "errand/host/wasm/manifest", "errand/host/wasm/stack"},
	"host/wasm/kit":       {"errand/host/atomicfile", "errand/host/tool", "errand/host/wasm/fit", "errand/host/wasm/manifest", "errand/host/wasm/inspect", "errand/host/wasm/install", "os", "os/exec"},
	"host/wasm/opa":       {"errand/host/wasm/codecache", "errand/host/wasm/meter", "github.com/tetratelabs/wazero/...", "os"},
	"host/wasm/codecache": {"errand/host/keyfile", "os"},
	"host/wasm/engine": {
		"errand/host/wasm/codecache", "errand/host/wasm/extism", "errand/host/wasm/fit", "errand/host/wasm/inspect", "errand/host/wasm/linear",
		"errand/host/wasm/manifest", "errand/host/wasm/meter", "errand/host/wasm/rootfs", "errand/host/wasm/stack", "errand/host/tool",
		"github.com/tetratelabs/wazero/...", "os",
	},
	"host/wasm/limit":    {},
	"host/wasm/meter":    {},
	"host/wasm/install":  {"errand/host/atomicfile", "errand/host/tool", "errand/host/wasm/fit", "errand/host/wasm/inspect", "errand/host/wasm/manifest", "errand/host/wasm/rights", "errand/policy", "os", "net/http"},
	"host/wasm/manifest": {"errand/host/tool/...", "errand/host/wasm/limit", "errand/planner/phrase", "errand/policy"},
	"host/wasm/rights":   {"errand/host/tool", "errand/host/wasm/manifest"},
	// Only the tests that drive a real Chromium through all of the packages below.
	"host/browser": {},
	// These need no browser.
	"host/browser/address":   {},
	"host/browser/locator":   {},
	"host/browser/axtree":    {"errand/host/browser/locator"},
	"host/browser/results":   {"errand/host/browser/axtree", "errand/host/browser/locator"},
	"host/browser/rows":      {"errand/host/browser/address", "errand/host/browser/axtree", "errand/host/browser/document", "errand/host/browser/locator", "errand/host/tool", "github.com/go-rod/rod/..."},
	"host/browser/challenge": {},
	"host/browser/waysout":   {"os", "net", "net/http", "crypto/tls"},
	"host/browser/transfer":  {"errand/host/browser/address", "errand/host/realpath", "errand/host/tool", "os"},

	"host/browser/chromium": {"errand/host/atomicfile", "errand/host/browser/transfer", "errand/host/tool", "github.com/go-rod/rod/...", "os", "os/exec"},
	"host/browser/document": {
		"errand/host/browser/address", "errand/host/browser/axtree", "errand/host/browser/chromium", "errand/host/browser/locator",
		"errand/host/tool", "github.com/go-rod/rod/...",
	},
	"host/browser/download":  {"errand/host/browser/address", "errand/host/browser/chromium", "errand/host/browser/document", "errand/host/browser/initiator", "errand/host/browser/transfer", "errand/host/tool", "github.com/go-rod/rod/...", "os"},
	"host/browser/initiator": {"errand/host/browser/address", "errand/policy", "github.com/go-rod/rod/..."},
	"host/browser/notes":     {"errand/host/browser/address", "errand/host/trace", "errand/policy"},
	"host/browser/window":    {"errand/host/browser/chromium", "errand/host/browser/initiator", "errand/host/browser/page", "errand/host/tool", "errand/policy", "github.com/go-rod/rod/..."},
	"host/browser/page": {
		"errand/host/browser/address", "errand/host/browser/challenge", "errand/host/browser/chromium", "errand/host/browser/document", "errand/host/browser/download",
		"errand/host/browser/initiator", "errand/host/browser/notes", "errand/host/browser/transfer", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/policy", "errand/policy/website", "github.com/go-rod/rod/...", "os",
	},
	"host/browser/session": {"errand/host/browser/chromium", "errand/host/browser/page", "errand/host/tool", "errand/policy", "github.com/go-rod/rod/..."},
	"host/browser/actions": {
		"errand/host/browser/address", "errand/host/browser/axtree", "errand/host/browser/chromium", "errand/host/browser/document", "errand/host/browser/download",
		"errand/host/browser/locator", "errand/host/browser/page", "errand/host/browser/results", "errand/host/browser/rows", "errand/host/browser/session", "errand/host/browser/transfer",
		"errand/host/tool/...", "errand/policy", "errand/policy/website", "github.com/go-rod/rod/...", "os",
	},
	"host/files/parts":           {"errand/host/realpath", "errand/host/tool", "errand/host/trace"},
	"host/files/trashinfo":       {},
	"host/files":                 {"errand/host/files/trashinfo", "errand/host/filestate", "errand/host/mount", "errand/host/realpath", "errand/host/tool/...", "os"},
	"host/atomicfile":            {"os"},
	"host/keyfile":               {"os"},
	"host/mount":                 {"errand/host/realpath", "os"},
	"host/filestate":             {"errand/host/files/inode", "errand/host/realpath", "errand/host/tool", "os"},
	"host/run/callscope":         {},
	"host/run/clock":             {"errand/host/tool"},
	"host/run/site":              {"errand/host/tool", "errand/policy/website"},
	"host/run/planview":          {"errand/host/tool", "errand/policy/quarantine"},
	"host/run/subject":           {"errand/host/realpath", "errand/host/tool"},
	"host/question":              {"errand/host/tool", "errand/policy", "errand/policy/folder", "errand/planner/plan"},
	"host/realpath":              {"errand/host/tool", "os"},
	"host/apps":                  {"os", "os/exec"},
	"host/resident":              {"errand/host/tool/...", "errand/host/trace", "errand/planner/plan", "os", "os/exec", "net"},
	"host/system":                {"errand/planner/calc", "errand/host/realpath", "errand/host/tool/...", "errand/planner/installed", "errand/planner/plan", "os", "os/exec", "net"},
	"host/schedule":              {"errand/planner/moment"},
	"host/timers":                {"errand/host/schedule", "errand/host/store", "errand/host/tool/...", "errand/planner/moment", "errand/planner/plan"},
	"host/agent/reading":         {"errand/host/llm", "errand/host/tool", "errand/planner/message"},
	"host/agent":                 {"errand/host/agent/reading", "errand/host/llm", "errand/host/run", "errand/host/tool", "errand/host/tool/schema", "errand/host/trace", "errand/planner/plan", "errand/policy/redact"},
	"host/llm":                   {"errand/host/tool", "errand/host/tool/jsonstrict", "errand/policy", "math/rand/v2", "net/http"},
	"host/llm/llmtest":           {"errand/build/must", "errand/host/llm", "errand/host/tool", "os", "net/http"},
	"host/jobs":                  {"errand/host/tool"},
	"host/jobs/queue":            {"errand/host/jobs", "errand/host/tool", "database/sql", "modernc.org/sqlite/...", "github.com/riverqueue/river/...", "github.com/jackc/pgx/v5/...", "os"},
	"host/jobs/jobstest":         {"errand/build/must", "errand/build/poll", "errand/host/jobs", "errand/host/tool"},
	"host/mcp/server":            {"github.com/modelcontextprotocol/go-sdk/...", "net/http"},
	"host/mcp/child":             {"os", "os/exec"},
	"host/mcp/client":            {"errand/host/tool", "errand/host/tool/schema", "github.com/modelcontextprotocol/go-sdk/...", "net/http"},
	"host/mcp/pins":              {"errand/host/atomicfile", "errand/host/mcp/client", "errand/host/realpath", "errand/host/tool", "os"},
	"host/telegram":              {"github.com/go-telegram/bot/...", "errand/host/tool", "errand/policy/guard", "net/http"},
	"host/telegram/telegramtest": {"errand/build/poll", "net/http"},
	"host/speech":                {"errand/host/tool", "os/exec"},
	"host/store":                 {"errand/host/event", "errand/host/trace", "errand/policy", "errand/policy/approval", "os"},
	"host/store/sqlite":          {"errand/host/event", "errand/host/store", "errand/host/tool", "errand/host/trace", "errand/policy", "errand/policy/approval", "database/sql", "modernc.org/sqlite/...", "os"},
	"host/store/storetest":       {"errand/host/event/...", "errand/host/store", "errand/host/tool", "errand/host/trace/...", "errand/policy", "errand/policy/approval", "errand/planner/plan"},

	"host/desktop":             {"errand/host/realpath", "errand/host/desktop/...", "errand/host/tool/...", "os", "os/exec", "net"},
	"host/desktop/desktoptest": {"errand/build/must", "errand/build/poll", "os", "os/exec"},

	"build/bench-start": {"os", "os/exec"},
	"plugins":           {"errand/host/tool/display"},
	"build/plugin-pack": {"os", "os/exec"},
	"build/tables":      {"errand/planner/catalogue", "errand/planner/interpret/lexicon", "errand/policy/quarantine", "errand/policy/redact/find", "errand/app/answers", "errand/host/tool", "errand/host/wasm/install", "errand/host/wasm/manifest", "errand/plugins", "os"},
	"build/spelling":    {"errand/planner/catalogue", "errand/planner/interpret/lexicon", "os"},
	"build/must":        {"os"},
	"build/poll":        {},
	"build/swap":        {"os"},
	"build/tier":        {"os"},
	"build/soak":        {},
	"build/man":         {"errand/app/cli/...", "errand/app/i18n", "errand/app/config", "errand/app", "os"},
	"build/notices":     {"os", "os/exec"},

	"app/i18n":              {"errand/planner/moment"},
	"app/config/policyfile": {"errand/host/realpath", "os"},
	"app/config":            {"errand/app/config/policyfile", "errand/host/atomicfile", "errand/app/i18n", "errand/host/mount", "errand/host/realpath", "errand/host/tool/keyline", "errand/planner/...", "errand/policy", "errand/policy/folder", "os"},
	"app/secrets":           {"errand/host/keyfile", "errand/host/tool", "errand/planner/plan", "errand/policy/redact"},
	"app/drafts":            {"errand/app/answers", "errand/app/planning", "errand/app/secrets", "errand/app/setting", "errand/host/run", "errand/host/store", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/policy", "errand/policy/approval"},
	"app/conversation":      {"errand/app/planning", "errand/app/secrets", "errand/host/store", "errand/host/tool", "errand/host/tool/display", "errand/host/trace", "errand/planner/interpret", "errand/planner/interpret/followup", "errand/planner/plan"},
	"app/lookback":          {"errand/app/drafts", "errand/app/planning", "errand/app/runs", "errand/app/undo", "errand/host/store", "errand/host/tool", "errand/host/trace", "errand/planner/interpret/followup"},
	"app/access":            {"errand/app/config", "errand/app/drafts", "errand/app/grants", "errand/host/files", "errand/host/realpath", "errand/host/tool", "errand/planner/plan", "errand/policy", "os"},
	"app/runs/notebook":     {"errand/app/planning", "errand/app/secrets", "errand/host/trace", "errand/planner/plan"},
	"app/planning/filetime": {"errand/planner/plan"},
	"app/runs": {
		"errand/app/access", "errand/app/grants", "errand/app/runs/...", "errand/app/config", "errand/app/conversation", "errand/app/recipes/recipe", "errand/app/answers", "errand/app/drafts", "errand/app/planning/...", "errand/app/secrets", "errand/app/setting",
		"errand/host/files", "errand/host/files/parts", "errand/host/filestate", "errand/host/run", "errand/host/store", "errand/host/system", "errand/host/tool", "errand/host/trace",
		"errand/planner/interpret", "errand/planner/interpret/filename", "errand/planner/interpret/followup", "errand/planner/plan", "errand/policy", "errand/policy/approval", "math/rand/v2",
	},
	"app/resident":         {"errand/app/config", "errand/app/grants", "errand/app/session", "errand/host/browser/...", "errand/host/resident", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/policy", "errand/policy/guard"},
	"app/replay":           {"errand/app/drafts", "errand/host/question", "errand/app/answers", "errand/app/config", "errand/app/conversation", "errand/app/grants", "errand/app/planning", "errand/app/runs/...", "errand/app/secrets", "errand/app/setting", "errand/host/agent", "errand/host/files", "errand/host/llm", "errand/host/run", "errand/host/tool", "errand/host/trace", "errand/planner/interpret/filename", "errand/planner/plan", "errand/policy", "errand/policy/approval", "errand/policy/redact", "errand/app/external"},
	"app/session":          {"errand/host/resident", "errand/host/realpath", "errand/app/config", "errand/app/demo", "errand/app/grants", "errand/app/secrets", "errand/host/browser/...", "errand/host/files", "errand/host/run", "errand/host/system", "errand/host/timers", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/policy/...", "os", "net", "net/http"},
	"app/undo":             {"errand/host/realpath", "errand/app/answers", "errand/app/drafts", "errand/app/planning", "errand/app/runs", "errand/app/secrets", "errand/app/setting", "errand/host/files", "errand/host/store", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/policy/approval"},
	"app/history":          {"errand/app/history/bundle", "errand/app/drafts", "errand/app/setting", "errand/host/event", "errand/host/store", "errand/host/realpath", "errand/host/tool", "errand/host/trace", "errand/host/trace/otlp", "os", "errand/host/jobs"},
	"app/planning":         {"errand/app/planning/places", "errand/app/config", "errand/app/answers", "errand/app/secrets", "errand/host/store", "errand/host/system", "errand/host/tool", "errand/host/tool/schema", "errand/host/trace", "errand/planner/..."},
	"app/planning/places":  {"errand/app/planning/filetime", "errand/app/config", "errand/host/files", "errand/host/realpath", "errand/host/tool", "errand/planner/interpret/...", "errand/planner/plan", "os"},
	"app/runs/dialog":      {"errand/app/planning", "errand/planner/plan"},
	"app/runs/gate":        {"errand/app/drafts", "errand/host/run", "errand/host/tool", "errand/policy", "errand/policy/approval"},
	"app/runs/pagepath":    {"errand/host/tool", "errand/host/trace", "errand/planner/plan"},
	"app/runs/calls":       {"errand/app/answers", "errand/app/planning", "errand/host/run", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/host/store", "errand/host/run/callscope"},
	"app/agent":            {"errand/app/config", "errand/app/i18n", "errand/app/planning", "errand/app/runs/...", "errand/app/secrets", "errand/host/agent", "errand/host/desktop/keyring", "errand/host/llm/...", "errand/host/store", "errand/host/run", "errand/host/tool", "errand/host/trace", "errand/planner/interpret", "errand/planner/plan", "errand/policy", "errand/policy/guard", "net", "net/http"},
	"app/agent/transcript": {"errand/app/agent", "errand/app/answers", "errand/app/setting", "errand/host/agent", "errand/host/llm", "errand/host/run", "errand/host/trace", "errand/planner/plan"},
	"app/rego":             {"errand/app/config/policyfile", "errand/host/wasm/codecache", "errand/host/wasm/opa", "errand/policy/rego", "os", "os/exec"},
	"app/rego/regotest":    {"errand/app/rego", "os", "os/exec"},
	"app/setting":          {"errand/planner/installed", "errand/host/run", "errand/app/config", "errand/app/answers", "errand/app/secrets", "errand/host/tool", "errand/host/tool/display", "errand/host/trace", "errand/planner/interpret/filename", "errand/planner/interpret/followup", "errand/planner/plan", "errand/policy"},
	"app/answers":          {"errand/host/timers", "errand/host/browser/actions", "errand/host/browser/locator", "errand/host/desktop", "errand/host/files", "errand/host/system", "errand/host/tool", "errand/host/tool/display", "errand/host/trace", "errand/planner/plan", "errand/plugins", "errand/policy/website"},
	"app/doctor":           {"errand/app/agent", "errand/app/config", "errand/app/grants", "errand/app/plugins", "errand/host/browser/...", "errand/host/resident", "errand/host/store", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/policy/...", "os", "net", "net/http"},
	"app/grants":           {"errand/host/realpath", "errand/app/config", "errand/host/question", "errand/host/store", "errand/host/system", "errand/host/tool", "errand/planner/plan", "errand/policy/..."},
	"app/plugins":          {"errand/app/config", "errand/planner/interpret/...", "errand/planner/phrase", "errand/plugins", "errand/host/realpath", "errand/host/tool", "errand/host/tool/display", "errand/host/wasm/...", "errand/policy", "os", "net/http"},
	"app/plugins/author":   {"errand/app/plugins", "errand/host/run", "errand/host/tool/...", "errand/host/trace", "errand/host/wasm/...", "errand/policy", "os"},
	"app/recipes":          {"errand/planner/catalogue", "errand/planner/script", "errand/app/answers", "errand/app/config", "errand/app/planning", "errand/app/runs", "errand/app/secrets", "errand/app/setting", "errand/host/browser/axtree", "errand/host/store", "errand/host/realpath", "errand/host/tool/...", "errand/host/trace", "errand/planner/interpret", "errand/planner/plan", "errand/policy/redact", "os"},
	"app/jobs":             {"errand/app/agent", "errand/app/drafts", "errand/app/planning", "errand/app/runs", "errand/host/jobs", "errand/host/store", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/policy/approval", "net/http"},
	"app/api":              {"errand/app/agent", "errand/app/jobs", "errand/host/jobs", "errand/host/tool", "errand/host/trace", "net/http"},
	"app/external":         {"errand/app/answers", "errand/app/config", "errand/app/drafts", "errand/app/runs/...", "errand/app/setting", "errand/host/run", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/policy", "errand/policy/approval", "errand/policy/glob"},
	"app/mcp":              {"errand/app/drafts", "errand/app/external", "errand/host/agent/reading", "errand/host/llm", "errand/host/mcp/server", "errand/host/run", "errand/host/tool/...", "errand/host/trace"},
	"app/servers":          {"errand/app/config", "errand/host/desktop/keyring", "errand/host/mcp/child", "errand/host/mcp/client", "errand/host/mcp/pins", "errand/host/tool", "errand/planner/phrase", "errand/policy/glob", "errand/policy/guard", "net/http", "os"},
	"app/telegram":         {"errand/app/access", "errand/app/answers", "errand/app/drafts", "errand/app/grants", "errand/app/i18n", "errand/app/runs", "errand/host/speech", "errand/host/store", "errand/host/telegram", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/policy/approval", "os"},
	"app/schedule":         {"errand/host/atomicfile", "errand/host/schedule", "errand/host/store", "errand/planner/moment", "errand/planner/plan", "os"},
	"app/plancheck":        {"errand/host/atomicfile", "errand/app/config", "errand/app/grants", "errand/app/planning", "errand/host/realpath", "errand/host/tool/...", "errand/planner/...", "errand/policy", "os"},
	"app/demo":             {"os", "net", "net/http", "crypto/tls"},
	"app": {
		"errand/app/rego",
		"errand/app/access", "errand/app/agent/...", "errand/app/replay", "errand/app/config", "errand/app/conversation", "errand/app/doctor", "errand/app/plancheck", "errand/app/recipes/...", "errand/app/resident", "errand/app/answers", "errand/app/drafts", "errand/app/grants", "errand/app/history", "errand/app/lookback", "errand/app/planning", "errand/app/plugins/...", "errand/app/schedule", "errand/app/secrets", "errand/app/session", "errand/app/setting", "errand/app/undo", "errand/app/demo/...", "errand/host/...", "errand/policy/...", "errand/planner/...",
		"os", "os/exec", "net", "net/http", "math/rand/v2", "errand/app/external", "errand/app/runs/...", "errand/app/servers",
	},
	"app/cli":             {"errand/app/agent", "errand/app/cli/...", "errand/app/i18n", "errand/app/planning", "errand/app/runs", "errand/app", "errand/app/doctor", "errand/app/drafts", "errand/app/plancheck", "errand/app/recipes/...", "errand/app/config", "errand/host/llm/price", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "os"},
	"app/cli/servecmd":    {"errand/app/api", "errand/app/cli/print", "errand/app/cli/shell", "errand/app", "errand/app/config", "errand/app/desktop", "errand/app/i18n", "errand/app/jobs", "errand/app/web", "errand/host/jobs", "net/http", "errand/app/mcp", "errand/host/mcp/server", "errand/app/cli/telegramcmd"},
	"app/cli/mcpcmd":      {"errand/app/cli/print", "errand/app/cli/shell", "errand/app", "errand/app/config", "errand/app/i18n", "errand/app/mcp", "errand/app/cli/input", "errand/app/servers", "errand/host/tool"},
	"app/cli/telegramcmd": {"errand/app/cli/print", "errand/app/cli/shell", "errand/app", "errand/app/drafts", "errand/app/i18n", "errand/app/telegram", "errand/host/store", "errand/host/telegram"},
	"app/cli/shell":       {"errand/host/atomicfile", "errand/app/cli/input", "errand/app/cli/print", "errand/app/i18n", "errand/app/drafts", "errand/app/recipes", "errand/app/runs", "errand/app", "errand/app/config", "errand/host/tool", "errand/host/trace", "os"},
	"app/cli/terminal":    {"os"},
	"app/cli/timercmd":    {"errand/app/cli/print", "errand/app/cli/shell", "errand/app", "errand/host/trace"},
	"app/cli/draftcmd":    {"errand/app/cli/input", "errand/app/cli/print", "errand/app/cli/shell", "errand/app/drafts", "errand/app/runs/...", "errand/app", "errand/host/tool", "errand/policy/approval"},
	"app/cli/recordcmd":   {"errand/app/cli/print", "errand/app/cli/record", "errand/app/cli/shell", "errand/app/drafts", "errand/app/planning", "errand/app/runs", "errand/app", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "os"},
	"app/cli/policycmd":   {"errand/app/config", "errand/app/config/policyfile", "errand/app/rego", "errand/app/cli/input", "errand/app/cli/print", "errand/app/cli/shell", "errand/app/grants", "errand/app/planning", "errand/app", "errand/planner/plan", "errand/policy", "errand/policy/quarantine", "errand/policy/redact"},
	"app/cli/plugincmd":   {"errand/app/i18n", "errand/app/cli/input", "errand/app/cli/print", "errand/app/cli/shell", "errand/app", "errand/app/plancheck/junit", "errand/app/config", "errand/app/plugins/...", "errand/host/realpath", "errand/host/tool", "os"},
	"app/cli/record":      {"errand/app/agent/transcript", "errand/planner/plan", "errand/app/answers", "errand/app/i18n", "errand/host/llm/price", "errand/host/tool", "errand/host/trace"},
	"app/cli/help":        {"errand/app/i18n"},
	"app/cli/input":       {"errand/app/i18n", "errand/app/cli/print", "errand/host/tool", "os"},
	"app/cli/print":       {"errand/host/agent", "errand/host/llm", "errand/app/answers", "errand/app/cli/record", "errand/app/i18n", "errand/app/drafts", "errand/app/planning", "errand/app/runs/...", "errand/app", "errand/app/plugins", "errand/app/recipes/...", "errand/app/config", "errand/app/doctor", "errand/app/grants", "errand/app/history", "errand/app/plancheck", "errand/app/replay", "errand/host/tool", "errand/host/trace", "errand/planner/interpret/followup", "errand/planner/plan", "errand/policy", "errand/policy/approval", "os"},
	"app/web":             {"errand/app/i18n", "errand/app/desktop", "errand/app/desktop/view", "errand/app/config", "errand/host/tool", "errand/policy/guard", "errand/policy/redact", "net", "net/http"},
	"app/desktop/live":    {"errand/app/agent/transcript", "errand/app/desktop/view", "errand/app/drafts", "errand/app/planning", "errand/app/recipes", "errand/app/runs", "errand/host/tool", "errand/host/trace", "errand/planner/plan"},
	"app/desktop/view":    {"errand/app/servers", "errand/app/agent/...", "errand/host/llm/price", "errand/app/answers", "errand/app/drafts", "errand/app/i18n", "errand/app/runs/...", "errand/host/tool", "errand/host/trace", "errand/planner/plan", "errand/policy"},
	"app/desktop":         {"errand/app/servers", "errand/app/agent/...", "errand/app/i18n", "errand/app/drafts", "errand/app/history", "errand/app/planning", "errand/app", "errand/app/doctor", "errand/app/grants", "errand/app/plugins", "errand/app/replay", "errand/app/runs", "errand/app/recipes/...", "errand/app/config", "errand/host/tool", "errand/host/trace", "errand/planner/interpret", "errand/planner/interpret/followup", "errand/planner/plan", "errand/policy", "errand/policy/approval", "os", "net/http"},
	"app/desktop/shell":   {"errand/host/atomicfile", "errand/app/i18n", "errand/app/desktop", "errand/app/desktop/view", "errand/app/config", "github.com/wailsapp/wails/v2/...", "os", "net", "net/http"},
	"cmd/errand":          {"errand/app/cli", "errand/frontend", "os"},
	"frontend":            {},
	// Writes a record for the tests of the page.
	"frontend/e2e/longrun": {"errand/host/store/sqlite", "errand/host/trace", "errand/planner/plan", "os"},
}

// fences are packages that only a row may let in.
var fences = []string{
	"os", "os/exec", "net", "net/http", "crypto/tls", "math/rand", "math/rand/v2", "database/sql",
	"github.com/wailsapp/wails/v2/...", "github.com/tetratelabs/wazero/...",
	"github.com/go-rod/rod/...", "modernc.org/sqlite/...",
	"github.com/riverqueue/river/...", "github.com/jackc/pgx/v5/...", "github.com/go-telegram/bot/...",
}

// Every package may name messages. The texts are for faces, whose rows have them, and
// for tests.
const (
	messages = "errand/planner/message"
	texts    = "errand/app/i18n"
)

type pkg struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// layers from the lowest to the highest. What is in none of them, such as
// plugins, is above all.
var layers = []string{"planner", "policy", "host"}

func layerOf(importPath string) int {
	top, _, _ := strings.Cut(strings.TrimPrefix(importPath, "errand/"), "/")
	if top == "build" {
		return 0 // tools for tests
	}
	if i := slices.Index(layers, top); i >= 0 {
		return i
	}
	return len(layers)
}

// faults holds packages against the rows and says what is wrong.
func faults(packages []pkg) []string {
	var out []string
	for _, p := range packages {
		place := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "errand"), "/")
		if place == "" {
			place = "."
		}
		allowed, ok := rowOf(place)
		if !ok {
			out = append(out, fmt.Sprintf("%s has no row: say where it stands in imports_test.go", place))
			continue
		}
		for _, imp := range p.Imports {
			ours := imp == "errand" || strings.HasPrefix(imp, "errand/")
			own := strings.HasPrefix(imp, p.ImportPath+"/") && place != "." && place != "app"
			if (ours && !own || matches(fences, imp)) && imp != messages && !matches(allowed, imp) {
				out = append(out, fmt.Sprintf("%s must not import %s", place, imp))
			}
		}
		// A test may use its neighbours and all below, and no layer above its own.
		for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
			if strings.HasPrefix(imp, "errand/") && imp != texts && !strings.HasPrefix(place, "build/") && layerOf(imp) > layerOf(p.ImportPath) {
				out = append(out, fmt.Sprintf("the tests of %s must not import %s", place, imp))
			}
		}
	}
	return out
}

// rowOf finds a package's row. A package without a row uses the row of the package
// above it: host/wasm/kernel has that of host/wasm.
func rowOf(place string) ([]string, bool) {
	for p := place; ; {
		if row, ok := rows[p]; ok && p != "plugins" || p == place && ok {
			if p != place {
				row = append(slices.Clone(row), "errand/"+p)
			}
			return row, true
		}
		i := strings.LastIndex(p, "/")
		if i < 0 {
			return nil, false
		}
		if p = p[:i]; p == "host" || p == "app" || p == "policy" || p == "planner" {
			return nil, false // a layer's own row is not for new packages in it
		}
	}
}

func matches(patterns []string, imp string) bool {
	for _, p := range patterns {
		if base, deep := strings.CutSuffix(p, "/..."); imp == base || deep && strings.HasPrefix(imp, base+"/") {
			return true
		}
	}
	return false
}

func TestImportDirection(t *testing.T) {
	for _, f := range faults(listPackages(t)) {
		t.Error(f)
	}
}

func TestEveryRowIsAPackage(t *testing.T) {
	exists := map[string]bool{}
	for _, p := range listPackages(t) {
		place := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "errand"), "/")
		if place == "" {
			place = "."
		}
		exists[place] = true
	}
	for place := range rows {
		if !exists[place] {
			t.Errorf("%s has a row and no package: delete the row", place)
		}
	}
}

// TestPackagesAreDocumented checks that docs/packages.md has exactly one row for each
// package.
func TestPackagesAreDocumented(t *testing.T) {
	tables := readText(t, "docs/packages.md")
	var named []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(tables, -1) {
		named = append(named, row[1])
	}
	var exist []string
	for _, p := range listPackages(t) {
		exist = append(exist, cmp.Or(strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "errand"), "/"), "."))
	}
	slices.Sort(named)
	slices.Sort(exist)
	for _, place := range exist {
		if !slices.Contains(named, place) {
			t.Errorf("docs/packages.md has no row for the package %s", place)
		}
	}
	for i, place := range named {
		if !slices.Contains(exist, place) || i > 0 && named[i-1] == place {
			t.Errorf("docs/packages.md has a row for %s, which does not exist or has two rows", place)
		}
	}
}

// testOnly are packages that only tests import: nothing that ships has them.
var testOnly = []string{
	"errand/build/must", "errand/build/poll", "errand/build/swap", "errand/build/tier", "errand/host/browser/waysout", "errand/host/desktop/desktoptest", "errand/host/event/eventtest", "errand/host/jobs/jobstest", "errand/host/llm/llmtest", "errand/host/store/storetest", "errand/host/telegram/telegramtest", "errand/host/trace/tracetest", "errand/policy/policytest",
}

func TestNoShippedPackageImportsTestCode(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, imp := range p.Imports {
			if slices.Contains(testOnly, imp) && !slices.Contains(testOnly, p.ImportPath) {
				t.Errorf("%s imports %s, which is for tests", p.ImportPath, imp)
			}
		}
	}
}

// TestFaultsAreFound shows that the test above can fail.
func TestFaultsAreFound(t *testing.T) {
	tests := []struct {
		name string
		pkg  pkg
		want string
	}{
		{"wrong direction", pkg{ImportPath: "errand/policy", Imports: []string{"errand/host/tool"}}, "policy must not import errand/host/tool"},
		{"another package of the layer", pkg{ImportPath: "errand/host/wasm", Imports: []string{"errand/host/browser"}}, "host/wasm must not import errand/host/browser"},
		{"fenced module", pkg{ImportPath: "errand/host/run", Imports: []string{"github.com/go-rod/rod/lib/proto"}}, "host/run must not import github.com/go-rod/rod/lib/proto"},
		{"fenced in a pure package", pkg{ImportPath: "errand/planner", Imports: []string{"os"}}, "planner must not import os"},
		{"sockets outside guard", pkg{ImportPath: "errand/host/run", Imports: []string{"net"}}, "host/run must not import net"},
		{"no row", pkg{ImportPath: "errand/host/mystery", Imports: nil}, "host/mystery has no row: say where it stands in imports_test.go"},
		{"a package without a row, below one that has a row", pkg{ImportPath: "errand/host/wasm/kernel", Imports: []string{"github.com/tetratelabs/wazero/api", "errand/host/wasm"}}, ""},
		{"a layer above, in a test", pkg{ImportPath: "errand/host/run", XTestImports: []string{"errand/app/demo"}}, "the tests of host/run must not import errand/app/demo"},
		{"a neighbour, in a test", pkg{ImportPath: "errand/host/run", TestImports: []string{"errand/host/store", "errand/policy", "os"}}, ""},
		{"its own packages", pkg{ImportPath: "errand/host/wasm", Imports: []string{"errand/host/wasm/kernel"}}, ""},
		{"messages", pkg{ImportPath: "errand/policy/redact", Imports: []string{messages}, TestImports: []string{texts}}, ""},
		{"texts", pkg{ImportPath: "errand/policy/redact", Imports: []string{texts}}, "policy/redact must not import errand/app/i18n"},
		{"lower layers", pkg{ImportPath: "errand/host/run", Imports: []string{"errand/policy", "errand/planner/plan"}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(faults([]pkg{tt.pkg}), "; ")
			if got != tt.want {
				t.Errorf("faults = %q, want %q", got, tt.want)
			}
		})
	}
}

// pure packages take the time as a value: the same input gives the same bytes.
var pure = []string{"planner", "policy", "host/tool"}

// TestPurePackagesReadNoClock looks for calls of the clock in the sources: an import
// of time alone says nothing, durations and times as values are free.
func TestPurePackagesReadNoClock(t *testing.T) {
	clock := regexp.MustCompile(`\btime\.(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTimer|NewTicker)\(`)
	for _, dir := range pure {
		must.Succeed(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "testdata" || path == "policy/guard" {
				if err == nil {
					err = filepath.SkipDir
				}
				return err
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			b, err := os.ReadFile(path)
			if found := clock.Find(b); found != nil {
				t.Errorf("%s reads the clock: %s…)", path, found)
			}
			return err
		}))
	}
	if !clock.MatchString("x := time.Now()") {
		t.Error("the pattern finds nothing")
	}
}

func listPackages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
	var packages []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
