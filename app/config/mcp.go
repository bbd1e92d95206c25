package config

import (
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"errand/planner/message"
	"errand/planner/phrase"
)

// MCP is the [mcp] table: agents of others, which use Errand over the Model Context Protocol, and
// servers of others, which Errand uses over it.
type MCP struct {
	Server  MCPServer             `toml:"server"`
	Servers map[string]ToolServer `toml:"servers"`
}

// MCPServer is [mcp.server]: what `errand mcp` and `errand serve --mcp` offer.
type MCPServer struct {
	Tools []string `toml:"tools"` // globs of the tools that clients and their goals may call; empty: none
}

// ToolServer is [mcp.servers.NAME]: a server of others, whose tools Errand may use. It has a
// command or a URL.
type ToolServer struct {
	Command   []string           `toml:"command,omitempty" json:"command,omitempty"`       // a program on this machine and its arguments
	Env       []string           `toml:"env,omitempty" json:"env,omitempty"`               // names of variables that it gets, beside PATH, HOME and the language
	Folders   []string           `toml:"folders,omitempty" json:"folders,omitempty"`       // that it may change, or with "ro:" read
	Network   bool               `toml:"network,omitempty" json:"network,omitempty"`       // the program may open connections, past policy
	Confine   string             `toml:"confine,omitempty" json:"confine,omitempty"`       // auto | require | off; "": auto
	URL       string             `toml:"url,omitempty" json:"url,omitempty"`               // a service on the network
	HeaderEnv map[string]string  `toml:"header_env,omitempty" json:"header_env,omitempty"` // headers, and the variables or secrets with their values
	Tools     []string           `toml:"tools,omitempty" json:"tools,omitempty"`           // globs of the server's own names; empty: all
	TimeoutMS int                `toml:"timeout_ms,omitempty" json:"timeout_ms,omitempty"` // of a call; 0: run.step_timeout_ms
	Enabled   *bool              `toml:"enabled,omitempty" json:"enabled,omitempty"`       // nil: true
	Phrases   []ToolServerPhrase `toml:"phrases,omitempty" json:"phrases,omitempty"`
}

// ToolServerPhrase is [[mcp.servers.NAME.phrases]]: words of a goal that call a tool.
type ToolServerPhrase struct {
	Text string         `toml:"text" json:"text"`
	Tool string         `toml:"tool" json:"tool"` // the server's own name
	Args map[string]any `toml:"args" json:"args,omitempty"`
}

// Values of [ToolServer].Confine.
const (
	ConfineAuto    = "auto"    // as far as the system can
	ConfineRequire = "require" // or not at all
	ConfineOff     = "off"
)

// IsEnabled reports whether the server may be used.
func (t ToolServer) IsEnabled() bool { return t.Enabled == nil || *t.Enabled }

// Confinement returns Confine with its default.
func (t ToolServer) Confinement() string {
	if t.Confine == "" {
		return ConfineAuto
	}
	return t.Confine
}

// Access returns what the user agrees to beside the tools: how the server is reached and what it
// may use. It is JSON with sorted keys.
func (t ToolServer) Access() string {
	t.Tools, t.TimeoutMS, t.Enabled, t.Phrases = nil, 0, nil, nil
	t.Confine = t.Confinement()
	b, err := json.Marshal(t)
	if err != nil { // it has only texts and flags
		return ""
	}
	return string(b)
}

// TOML returns the table of a server for errand.toml.
func (t ToolServer) TOML(name string) (string, error) {
	b, err := toml.Marshal(map[string]any{"mcp": map[string]any{"servers": map[string]ToolServer{name: t}}})
	return string(b), err
}

// maxToolServers is the maximum number of [mcp.servers.NAME].
const maxToolServers = 50

var serverName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`) })

var headerName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,63}$`) })

// checkMCP validates the patterns of tools and the servers.
func (l *Loaded) checkMCP(report reporter) {
	for i, pattern := range l.MCP.Server.Tools {
		if !isToolPattern(pattern) {
			report(indexKey("mcp.server.tools", i), message.New("config.bad_tool_pattern", "pattern", pattern))
		}
	}
	if n := len(l.MCP.Servers); n > maxToolServers {
		report("mcp.servers", message.New("config.too_many_servers", "count", n, "limit", maxToolServers))
	}
	for _, name := range slices.Sorted(maps.Keys(l.MCP.Servers)) {
		key := join("mcp.servers", name)
		if !serverName().MatchString(name) {
			report(key, message.New("config.bad_server_name", "name", name))
		}
		l.checkToolServer(key, l.MCP.Servers[name], report)
	}
}

// checkToolServer validates [mcp.servers.NAME]. It never repeats a URL or a value of a header,
// which can have a password.
func (l *Loaded) checkToolServer(key string, t ToolServer, report reporter) {
	isProgram := len(t.Command) > 0
	switch {
	case isProgram == (t.URL != ""):
		report(key, message.New("config.command_or_url", "both", isProgram))
	case isProgram:
		l.checkCommand(key, t, report)
	default:
		checkService(key, t, report)
	}
	for i, pattern := range t.Tools {
		if pattern == "" || len(pattern) > 128 || strings.ContainsFunc(pattern, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
			report(indexKey(key+".tools", i), message.New("config.bad_tool_pattern", "pattern", pattern))
		}
	}
	if t.TimeoutMS != 0 && (t.TimeoutMS < 100 || t.TimeoutMS > 3_600_000) {
		report(key+".timeout_ms", message.New("config.out_of_range", "number", t.TimeoutMS, "low", 100, "high", 3_600_000))
	}
	for i, p := range t.Phrases {
		if _, err := phrase.Parse(p.Text); err != nil {
			report(indexKey(key+".phrases", i)+".text", message.FromError(err))
		}
		if p.Tool == "" {
			report(indexKey(key+".phrases", i)+".tool", message.New("config.phrase_without_tool"))
		}
	}
}

func (l *Loaded) checkCommand(key string, t ToolServer, report reporter) {
	if len(t.HeaderEnv) > 0 {
		report(key+".header_env", message.New("config.only_for_services"))
	}
	for i, word := range t.Command {
		if i == 0 && strings.TrimSpace(word) == "" || strings.ContainsRune(word, 0) {
			report(indexKey(key+".command", i), message.New("config.bad_command"))
		}
	}
	for i, name := range t.Env {
		if !variableName().MatchString(name) {
			report(indexKey(key+".env", i), message.New("config.bad_variable_name"))
		}
	}
	if t.Confine != "" && !slices.Contains([]string{ConfineAuto, ConfineRequire, ConfineOff}, t.Confine) {
		report(key+".confine", message.New("config.not_allowed", "value", t.Confine, "allowed", []string{ConfineAuto, ConfineRequire, ConfineOff}))
	}
	own := newOverlaps(l.ownPlaces())
	for i, entry := range t.Folders {
		text, _ := strings.CutPrefix(entry, "ro:")
		dir, err := l.Expand(text)
		if err != nil {
			report(indexKey(key+".folders", i), message.FromError(err))
		} else if place, found := own.find(dir); found {
			report(indexKey(key+".folders", i), place.overlapMessage(text))
		}
	}
}

var variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`) })

func checkService(key string, t ToolServer, report reporter) {
	for field, set := range map[string]bool{"env": len(t.Env) > 0, "folders": len(t.Folders) > 0, "network": t.Network, "confine": t.Confine != ""} {
		if set {
			report(key+"."+field, message.New("config.only_for_programs"))
		}
	}
	u, err := url.Parse(t.URL)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		report(key+".url", message.New("config.bad_base_url", "why", "url"))
	case u.User != nil || u.Fragment != "":
		report(key+".url", message.New("config.bad_base_url", "why", "extra"))
	case u.Scheme == "http" && !isLoopback(u):
		report(key+".url", message.New("config.bad_base_url", "why", "plain"))
	}
	for _, name := range slices.Sorted(maps.Keys(t.HeaderEnv)) {
		source := t.HeaderEnv[name]
		switch {
		case !headerName().MatchString(name) || slices.Contains([]string{"host", "content-length", "content-type", "accept", "connection", "transfer-encoding", "cookie"}, strings.ToLower(name)):
			report(key+".header_env", message.New("config.bad_header_name"))
		case source == "" || !isKeySource(source) && !isKeyVariable(source):
			report(key+".header_env."+name, message.New("config.bad_header_source"))
		}
	}
}

// HeaderSource returns where the value of a header is.
func HeaderSource(source string) KeySource {
	return keySource(source)
}

// isToolPattern reports whether s has the form of a glob of tools' names.
func isToolPattern(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (r < '0' || '9' < r) && !strings.ContainsRune("_.-*?", r)
	})
}
