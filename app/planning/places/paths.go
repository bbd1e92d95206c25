// Package places finds the files and folders of this machine that goals mean.
package places

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"errand/app/config"
	"errand/host/files"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/plan"
)

// Places finds the files and folders of this machine that goals mean.
type Places struct {
	Conf    *config.Loaded
	Now     func() time.Time
	Granted func() []string // folders that the user granted beside the configured ones; nil: none
}

// roots returns the folders that file tools may use.
func (p Places) roots() []string {
	if p.Granted == nil {
		return p.Conf.Roots()
	}
	return append(p.Conf.Roots(), p.Granted()...)
}

// ResolvePath turns "~/…" and the known folders below it into a path of this
// machine, and leaves every other path as it is.
func (p Places) ResolvePath(path string) string { return p.Conf.Paths.Resolve(path) }

// resolve gives file goals absolute paths: "~/Documents/x" where the desktop
// keeps documents, a bare name in the first granted root. What holds ".." is
// left as it was said, for the planner to refuse.
func (p Places) resolve(set plan.GoalSet) plan.GoalSet {
	goals := slices.Clone(set.Goals)
	for i, g := range goals {
		if g.SaveTo == "" && g.Action+"_"+g.ObjectType == plan.DownloadFile {
			if folder := p.Downloads(); folder != "" {
				g.SaveTo = strings.TrimSuffix(folder, "/") + "/"
			}
		}
		if g.SaveTo != "" && !files.Climbs(g.SaveTo) {
			goals[i].SaveTo = p.Place(g.SaveTo)
		}
		if g.GoalType != plan.FileOperation || g.Target == "" || files.Climbs(g.Target) {
			continue
		}
		goals[i].Target = p.Place(g.Target)
	}
	return plan.NewGoalSet(goals, set.Deps)
}

// Downloads returns the granted folder for files without a given place: the user's
// Downloads if it is granted, otherwise the first granted folder, or "".
func (p Places) Downloads() string {
	roots := p.roots()
	own := p.Conf.Paths.Resolve("~/Downloads")
	if slices.ContainsFunc(roots, func(root string) bool { return realpath.Contains(root, own) }) {
		return own
	}
	if len(roots) > 0 {
		return roots[0]
	}
	return ""
}

// Place returns a path on this machine: a bare name is in the first granted root, "./x"
// in the working folder. A folder keeps its final separator, which marks it as one.
func (p Places) Place(text string) string {
	path := p.Conf.Paths.Locate(text)
	if roots := p.roots(); !filepath.IsAbs(path) && !strings.HasPrefix(path, "~") && !strings.HasPrefix(path, "./") && len(roots) > 0 {
		path = strings.TrimRight(roots[0], "/") + "/" + path
	}
	return path
}

// PlaceArgs returns arguments of a tool with absolute paths where its schema marks paths.
func (p Places) PlaceArgs(spec tool.Spec, args map[string]any) map[string]any {
	var node any
	if json.Unmarshal(spec.ArgsSchema, &node) != nil {
		return args
	}
	return p.placePaths(args, node).(map[string]any)
}

// placePaths returns arguments with absolute paths where their schema marks paths.
func (p Places) placePaths(v, node any) any {
	n, _ := node.(map[string]any)
	switch v := v.(type) {
	case string:
		if n["format"] == "path" && v != "" {
			return p.Place(v)
		}
	case map[string]any:
		properties, _ := n["properties"].(map[string]any)
		out := make(map[string]any, len(v))
		for k, item := range v {
			out[k] = p.placePaths(item, properties[k])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = p.placePaths(item, n["items"])
		}
		return out
	}
	return v
}
