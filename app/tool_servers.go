package app

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"errand/app/plugins"
	"errand/app/servers"
	"errand/host/system"
)

// newServers wires the servers of the Model Context Protocol. It opens nothing.
func (a *App) newServers() *servers.Set {
	return servers.New(servers.Options{
		Config: a.conf, Version: Version, Now: func() time.Time { return a.now() },
		Env: slices.Concat(a.o.Config.Env, []string{"PATH=" + os.Getenv("PATH")}), // without the folders that tools may change
		Client: func(caller string, hosts []string) (*http.Client, error) {
			g, err := a.guard()
			if err != nil {
				return nil, err
			}
			return a.sessions.PluginClient(g, caller, hosts), nil
		},
		Taken: a.isTakenName, LookPath: system.CheckedLookPath(a.conf.CheckProgram),
		AddSecret: a.vault.AddKey, AddCloser: a.addCloser,
	})
}

// Servers are the servers of the Model Context Protocol whose tools the program uses.
func (a *App) Servers() *servers.Set { return a.servers }

// ownToolNames begin the names of the program's own tools.
var ownToolNames = []string{"agent", "archive", "browser", "desktop", "errand", "files", "mcp", "plan", "policy", "system", "task", "timers"}

// isTakenName reports whether tools of the program, of bundled plugins or of an installed plugin
// have names that begin with name.
func (a *App) isTakenName(name string) bool {
	if slices.Contains(ownToolNames, name) {
		return true
	}
	reserved, err := plugins.ReservedIDs()
	if err != nil || slices.Contains(reserved, name) {
		return true
	}
	loaded, err := a.plugins.Load()
	if err != nil {
		return true
	}
	return slices.ContainsFunc(loaded, func(p plugins.Plugin) bool {
		m := p.Manifest()
		if m.ID == name {
			return true
		}
		for _, t := range m.Tools {
			if strings.HasPrefix(t.Name, name+".") {
				return true
			}
		}
		return false
	})
}
