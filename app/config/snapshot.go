package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// deciding are the keys that plans and decisions depend on. What plugins are
// given, and where this machine keeps what, is not among them.
var deciding = []string{
	"policy.allowed_domains", "policy.allow_private", "policy.subresources", "policy.user_goal_tools",
	"policy.redaction", "policy.rules", "files.roots", "search.default_platform", "sites", "apps",
	"run.step_timeout_ms", "run.parallel",
}

// Snapshot is a configuration as far as plans and decisions depend on it, in a
// form that another machine can take up: a run's record keeps it. It holds no
// value of a plugin's config, which may be secret.
type Snapshot struct {
	Values  map[string]string `json:"values"`  // key → TOML literal
	Home    string            `json:"home"`    // that "~/" stood for; empty: there was none
	Folders map[string]string `json:"folders"` // where the desktop kept "Documents" and the like
}

// Take is the snapshot of l.
func Take(l *Loaded) (Snapshot, error) {
	s := Snapshot{Values: map[string]string{}, Home: l.Paths.Home, Folders: map[string]string{}}
	maps.Copy(s.Folders, l.Paths.userDirs)
	for _, key := range deciding {
		value, err := literal(valueOf(l.Config, key))
		if err != nil {
			return Snapshot{}, fmt.Errorf("write %s: %w", key, err)
		}
		s.Values[key] = value
	}
	return s, nil
}

// Load makes a configuration of the snapshot, checked as [Load] checks a file,
// without looking at this machine: what the snapshot doesn't hold is the
// default, and there are no places for data. The error is a [Faults].
func (s Snapshot) Load() (*Loaded, error) {
	const name = "setting"
	var doc strings.Builder
	for _, key := range slices.Sorted(maps.Keys(s.Values)) {
		if !slices.Contains(deciding, key) {
			return nil, Faults{{Source: name, Key: key, Message: unknown(key, deciding)}}
		}
		fmt.Fprintf(&doc, "%s = %s\n", key, s.Values[key])
	}
	for _, dir := range append(slices.Collect(maps.Values(s.Folders)), s.Home) {
		if dir != "" && !filepath.IsAbs(dir) {
			return nil, Faults{{Source: name, Key: "folders", Message: fmt.Sprintf("%q is not an absolute path", dir)}}
		}
	}
	read := &Loaded{Config: Default(), Paths: Paths{File: name}, sources: map[string]string{}}
	at, faults, whole := read.decode([]byte(doc.String()))
	if len(faults) > 0 || !whole {
		return nil, faults
	}
	// A literal may spell more than its own key; only the deciding ones are taken.
	l := &Loaded{
		Config:  Default(),
		Paths:   Paths{File: name, Home: s.Home, userDirs: maps.Clone(s.Folders)},
		sources: read.sources,
	}
	l.Policy, l.Files, l.Search, l.Sites, l.Apps, l.Run = read.Policy, read.Files, read.Search, read.Sites, read.Apps, read.Run
	if faults := l.check(at); len(faults) > 0 {
		return nil, faults
	}
	return l, nil
}
