package system

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
	"errand/planner/message"
)

// TestOpenExternal: what reaches the opener is one URL of the web that policy has
// allowed, as one argument, and nothing else does.
func TestOpenExternal(t *testing.T) {
	dir := t.TempDir()
	opener, log := filepath.Join(dir, "xdg-open"), filepath.Join(dir, "log")
	must.Succeed(t, os.WriteFile(opener, []byte("#!/bin/sh\nfor a; do echo \"[$a]\" >> "+log+"; done\n"), 0o755))
	o := Options{
		LookPath: func(name string) (string, error) { return filepath.Join(dir, name), nil },
		Allowed: func(_ context.Context, url string) *tool.Error {
			if strings.Contains(url, "forbidden.example") {
				return tool.NewError(tool.PolicyDenied, "unlisted", message.New("policy.no"))
			}
			return nil
		},
	}
	tests := []struct {
		name, url string
		want      string // code of the error; empty: it is handed over
	}{
		{"a page", "https://a.example/x?q=a%20b&c=$HOME;ls#f", ""},
		{"http", "http://a.example:8080/", ""},
		{"not allowed", "https://forbidden.example/", "unlisted"},
		{"a file", "file:///etc/passwd", "url_refused"},
		{"a program's scheme", "steam://run/1", "url_refused"},
		{"mail", "mailto:a@b.example", "url_refused"},
		{"an option", "--help", "url_refused"},
		{"a path", "/etc/passwd", "url_refused"},
		{"script", "javascript:alert(1)", "url_refused"},
		{"a space", "https://a.example/ --new-window", "url_refused"},
		{"a line", "https://a.example/\nfile:///x", "url_refused"},
		{"a quote", `https://a.example/"x`, "url_refused"},
		{"credentials", "https://u:p@a.example/", "url_refused"},
		{"no host", "https:///x", "url_refused"},
		{"one slash", "https:/a.example", "url_refused"},
		{"nothing", "", "url_refused"},
	}
	x := externalTool(o.withDefaults())
	if s := x.Spec(); s.SideEffectClass != tool.Write || s.Effect != tool.EffectNavigate || s.Validate() != nil {
		t.Errorf("spec = %+v", s)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_ = os.Remove(log)
			r, err := x.Call(t.Context(), tool.Call{Args: map[string]any{"url": tt.url}})
			must.Succeed(t, err)
			var said []byte
			poll.WaitUntil(func() bool {
				said, _ = os.ReadFile(log)
				return bytes.HasSuffix(said, []byte("\n")) || tt.want != ""
			})
			if tt.want != "" {
				if r.OK || r.Error.Code != tt.want || len(said) > 0 {
					t.Errorf("%+v, the opener got %q; want %s", r.Error, said, tt.want)
				}
				return
			}
			if !r.OK || string(said) != "["+tt.url+"]\n" || r.World != nil {
				t.Errorf("%+v, the opener got %q", r.Error, said)
			}
		})
	}
	t.Run("no policy", func(t *testing.T) {
		r, _ := externalTool(Options{}.withDefaults()).Call(t.Context(), tool.Call{Args: map[string]any{"url": "https://a.example/"}})
		if r.OK || r.Error.Code != "no_policy" {
			t.Errorf("%+v", r.Error)
		}
	})
}
