//go:build unix

package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"errand/app/config"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// TestReplacedRoots checks that a call is refused if the granted folder of its path leads to
// Errand's own files by now, whichever tool it is.
func TestReplacedRoots(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  func(home, docs string) error
		path    string // in docs
		refused bool
	}{
		{"unchanged", func(string, string) error { return nil }, "a.txt", false},
		{"a link to the configuration", func(home, docs string) error { return link(docs, home+"/.config/errand") }, "recipes/a.toml", true},
		{"a link to the folder above", func(home, docs string) error { return link(docs, home+"/.config") }, "errand/errand.toml", true},
		{"the folder itself", func(home, docs string) error { return link(docs, home+"/.config") }, "", true},
		{"a link to the data", func(home, docs string) error { return link(docs, home+"/.local/share/errand") }, "plugins.lock", true},
		{"a link to a link", func(home, docs string) error {
			if err := os.Symlink(home+"/.config/errand", home+"/hop"); err != nil {
				return err
			}
			return link(docs, home+"/hop")
		}, "recipes/a.toml", true},
		{"a link to the plugins of a developer", func(home, docs string) error { return link(docs, home+"/dev") }, "sample/plugin.toml", true},
		{"the recipes moved in", func(home, docs string) error {
			if err := os.Rename(home+"/.config/errand/recipes", docs+"/recipes"); err != nil {
				return err
			}
			return os.Symlink(docs+"/recipes", home+"/.config/errand/recipes")
		}, "recipes/a.toml", true},
		{"a link to another folder", func(home, docs string) error { return link(docs, home+"/other") }, "a.txt", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ss := newSessions(t, config.Options{})
			home := ss.o.Config.Paths.Home
			docs := filepath.Join(home, "Documents")
			for _, folder := range []string{docs, home + "/.config/errand/recipes", home + "/.local/share/errand", home + "/dev", home + "/other"} {
				must.Succeed(t, os.MkdirAll(folder, 0o700))
			}
			ss.o.Config.Plugins.Dirs = []string{"~/dev"}
			s, err := ss.New("r1", plan.UserGoal, func(trace.Note) {})
			must.Succeed(t, err)
			must.Succeed(t, tt.change(home, docs))
			for _, source := range []string{"builtin", "plugin"} {
				for _, mode := range []string{"", "ro:"} {
					spec := tool.Spec{
						Name: "x.use", Source: source, Paths: []string{mode + docs},
						ArgsSchema: json.RawMessage(`{"type":"object","properties":{"file":{"type":"string","format":"path"}}}`),
					}
					fault := s.BeforeCall(t.Context(), spec, tool.Call{Tool: "x.use", Args: map[string]any{"file": filepath.Join(docs, tt.path)}})
					if (fault != nil) != tt.refused || fault != nil && (fault.Class != tool.PolicyDenied || fault.Code != "own_folder" || fault.Hint.IsZero()) {
						t.Errorf("%s %q: %+v", source, mode, fault)
					}
				}
			}
		})
	}
}

func link(at, target string) error {
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	return os.Symlink(target, at)
}
