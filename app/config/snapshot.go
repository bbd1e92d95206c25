package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"errand/app/config/policyfile"
	"errand/planner/message"
)

// decisionKeys lists the keys that plans and decisions depend on. The configuration of plugins
// and the location of local files are not among them.
var decisionKeys = []string{
	"policy.allowed_domains", "policy.allow_private", "policy.subresources", "policy.user_goal_tools",
	"policy.redaction", "policy.rules", "files.roots", "search.default_platform", "search.maps", "search.weather", "search.news", "search.define", "search.currency",
	"ui.wake_words", "sites", "apps",
	"run.step_timeout_ms", "run.parallel", "mcp.server.tools",
}

// Snapshot is the part of a configuration that plans and decisions depend on, in a form
// that works on another machine. Records of runs contain it. It has no plugin
// configuration, which may be secret.
type Snapshot struct {
	Values  map[string]string `json:"values"`  // maps keys to TOML literals
	Home    string            `json:"home"`    // the folder for "~/"; empty if there was none
	Folders map[string]string `json:"folders"` // the folders of the desktop, such as "Documents"
	Rego    []policyfile.File `json:"rego,omitempty"`
}

// Take returns the snapshot of l.
func Take(l *Loaded) (Snapshot, error) {
	s := Snapshot{Values: map[string]string{}, Home: l.Paths.Home, Folders: map[string]string{}}
	s.Rego = slices.DeleteFunc(slices.Clone(l.Rego), policyfile.File.IsTest)
	maps.Copy(s.Folders, l.Paths.userDirs)
	for _, key := range decisionKeys {
		value, err := literal(valueOf(l.Config, key))
		if err != nil {
			return Snapshot{}, message.Error("config.write_key", "key", key, "cause", err)
		}
		s.Values[key] = value
	}
	return s, nil
}

// Load restores a configuration from the snapshot and validates it like [Load]. It doesn't
// read anything from this machine: values that are not in the snapshot have their
// defaults, and there are no data folders. The error is a [Problems].
func (s Snapshot) Load() (*Loaded, error) {
	const name = "setting"
	var doc strings.Builder
	for _, key := range slices.Sorted(maps.Keys(s.Values)) {
		if !slices.Contains(decisionKeys, key) {
			return nil, Problems{{Source: name, Key: key, Message: unknownKey(key, decisionKeys)}}
		}
		fmt.Fprintf(&doc, "%s = %s\n", key, s.Values[key])
	}
	for _, dir := range append(slices.Collect(maps.Values(s.Folders)), s.Home) {
		if dir != "" && !filepath.IsAbs(dir) {
			return nil, Problems{{Source: name, Key: "folders", Message: message.New("config.not_absolute", "folder", dir)}}
		}
	}
	read := &Loaded{Config: Default(), Paths: Paths{File: name}, sources: map[string]string{}}
	at, faults, whole := read.decode([]byte(doc.String()))
	if len(faults) > 0 || !whole {
		return nil, faults
	}
	// A literal could contain more keys than its own. Only the known keys are taken.
	l := &Loaded{
		Config:  Default(),
		Paths:   Paths{File: name, Home: s.Home, userDirs: maps.Clone(s.Folders)},
		sources: read.sources,
		Rego:    s.Rego,
	}
	l.Policy, l.Files, l.Search, l.Sites, l.Apps, l.Run, l.MCP = read.Policy, read.Files, read.Search, read.Sites, read.Apps, read.Run, read.MCP
	if faults := l.check(at); len(faults) > 0 {
		return nil, faults
	}
	return l, nil
}
