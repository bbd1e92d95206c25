package planning

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"errand/app/config"
	"errand/host/files"
	"errand/host/realpath"
	"errand/planner/plan"
)

// places finds the files and folders of this machine that goals mean.
type places struct {
	conf    *config.Loaded
	now     func() time.Time
	granted func() []string // folders that the user granted beside the configured ones; nil: none
}

// roots returns the folders that file tools may use.
func (p places) roots() []string {
	if p.granted == nil {
		return p.conf.Roots()
	}
	return append(p.conf.Roots(), p.granted()...)
}

// ResolvePath turns "~/…" and the known folders below it into a path of this
// machine, and leaves every other path as it is.
func (p places) ResolvePath(path string) string { return p.conf.Paths.Resolve(path) }

// resolve gives file goals absolute paths: "~/Documents/x" where the desktop
// keeps documents, a bare name in the first granted root. What holds ".." is
// left as it was said, for the planner to refuse.
func (p places) resolve(set plan.GoalSet) plan.GoalSet {
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

// locate puts the paths below "./" into the working folder. Without one they stay, for the
// planner to refuse.
func (in *Interpretation) locate(work string) {
	in.work = work
	goals := slices.Clone(in.Goals)
	for i := range goals {
		for _, path := range []*string{&goals[i].Target, &goals[i].SaveTo, &goals[i].Destination} {
			if rest, here := strings.CutPrefix(*path, "./"); here && work != "" && !files.Climbs(rest) {
				*path = strings.TrimSuffix(work, "/") + "/" + rest
			}
		}
	}
	in.set = plan.NewGoalSet(goals, in.Deps)
	in.Goals = in.set.Goals
}

// Downloads returns the granted folder for files without a given place: the user's
// Downloads if it is granted, otherwise the first granted folder, or "".
func (p places) Downloads() string {
	roots := p.roots()
	own := p.conf.Paths.Resolve("~/Downloads")
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
func (p places) Place(text string) string {
	path := p.conf.Paths.Locate(text)
	if roots := p.roots(); !filepath.IsAbs(path) && !strings.HasPrefix(path, "~") && !strings.HasPrefix(path, "./") && len(roots) > 0 {
		path = strings.TrimRight(roots[0], "/") + "/" + path
	}
	return path
}
