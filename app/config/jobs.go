package config

import (
	"net/url"
	"strings"

	"errand/planner/message"
)

// API is the [api] table: the interface of `errand serve` for other programs.
type API struct {
	Enabled bool `toml:"enabled"`
}

// Jobs is the [jobs] table.
type Jobs struct {
	Workers   int `toml:"workers"`     // jobs at the same time
	Queue     int `toml:"queue"`       // jobs that wait for their turn
	MaxTimeMS int `toml:"max_time_ms"` // of one job
	// DatabaseURL names a PostgreSQL database. It has no password, which the environment or a
	// password file has. Empty: a file beside the record.
	DatabaseURL string `toml:"database_url"`
}

// checkJobs validates the address of the database. It never repeats the address.
func (l *Loaded) checkJobs(report reporter) {
	if l.Jobs.DatabaseURL == "" {
		return
	}
	u, err := url.Parse(l.Jobs.DatabaseURL)
	switch {
	case err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Opaque != "":
		report("jobs.database_url", message.New("config.bad_database_url", "why", "url"))
	case hasPassword(u):
		report("jobs.database_url", message.New("config.bad_database_url", "why", "password"))
	}
}

func hasPassword(u *url.URL) bool {
	_, has := u.User.Password()
	return has || u.Query().Has("password")
}

// MCP is the [mcp] table: agents of others, which use Errand over the Model Context Protocol.
type MCP struct {
	Server MCPServer `toml:"server"`
}

// MCPServer is [mcp.server]: what `errand mcp` and `errand serve --mcp` offer.
type MCPServer struct {
	Tools []string `toml:"tools"` // globs of the tools that clients and their goals may call; empty: none
}

// checkMCP validates the patterns of tools.
func (l *Loaded) checkMCP(report reporter) {
	for i, pattern := range l.MCP.Server.Tools {
		if !isToolPattern(pattern) {
			report(indexKey("mcp.server.tools", i), message.New("config.bad_tool_pattern", "pattern", pattern))
		}
	}
}

// isToolPattern reports whether s has the form of a glob of tools' names.
func isToolPattern(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (r < '0' || '9' < r) && !strings.ContainsRune("_.-*?", r)
	})
}
