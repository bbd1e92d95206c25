package servers

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/config"
	"errand/app/i18n"
	"errand/build/must"
	"errand/host/mcp/child"
)

// TestProblems has servers that can't be used, and servers that run with fewer limits than usual.
func TestProblems(t *testing.T) {
	all := child.Confinement{Files: true, Network: true}
	program := func(change func(*config.ToolServer)) config.ToolServer {
		s := config.ToolServer{Command: []string{"notes"}}
		if change != nil {
			change(&s)
		}
		return s
	}
	off := false
	for _, tt := range []struct {
		name   string
		server config.ToolServer
		agreed bool
		can    child.Confinement
		want   []string
	}{
		{"as agreed", program(nil), true, all, nil},
		{"not agreed", program(nil), false, all, []string{"server_unagreed: you have not agreed to the tools of notes yet"}},
		{"off", program(func(s *config.ToolServer) { s.Enabled = &off }), false, all, nil},
		{"without its program", program(func(s *config.ToolServer) { s.Command = []string{"gone"} }), true, all, []string{"mcp_unavailable"}},
		{"not confined", program(nil), true, child.Confinement{}, []string{"mcp_unconfined: notes runs without limits on your files, because this system can't confine programs"}},
		{"not confined, as it must be", program(func(s *config.ToolServer) { s.Confine = config.ConfineRequire }), true, child.Confinement{}, []string{"mcp_unconfined: this system can't confine notes as mcp.servers.notes.confine requires"}},
		{"not confined, as you want", program(func(s *config.ToolServer) { s.Confine = config.ConfineOff }), true, child.Confinement{}, nil},
		{"a service", config.ToolServer{URL: "https://notes.example/mcp"}, true, child.Confinement{}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conf := &config.Loaded{Paths: config.Paths{Data: t.TempDir()}}
			conf.MCP.Servers = map[string]config.ToolServer{"notes": tt.server}
			s := New(Options{
				Config: conf, Now: time.Now, Taken: func(string) bool { return false },
				LookPath: func(name string) (string, error) {
					if name == "gone" {
						return "", errors.New("gone")
					}
					return "/usr/bin/" + name, nil
				},
			})
			if tt.agreed {
				must.Succeed(t, s.Agree(&Review{Server: "notes", access: tt.server.Access()}, nil))
			}
			var got []string
			for _, p := range s.problems(tt.can) {
				line := p.Code
				if len(tt.want) == 1 && line != tt.want[0] {
					line += ": " + i18n.English().Text(p.Message)
				}
				if p.Hint.IsZero() {
					t.Errorf("%s has no cure", p.Code)
				}
				got = append(got, line)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
