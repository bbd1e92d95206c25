package access

import (
	"path/filepath"
	"slices"

	"errand/app/config"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// Folders are the folders that a run may use beside the configured ones. They are not safe for
// concurrent use, except for CheckCall.
type Folders struct {
	Config *config.Loaded
	// Grants returns the grants of folders that count now for any of some runs. Nil: none.
	Grants func(runs ...string) []policy.Grant
	Runs   []string // the run, and the one that it undoes
	Tried  []string // further ones, which a dry run plans with

	list   []string
	listed bool
}

// Undo adds the folders of a run that the run undoes, if it undoes one.
func (f *Folders) Undo(runID string) {
	if runID != "" {
		f.Runs = append(f.Runs, runID)
	}
}

func (f *Folders) grants() []policy.Grant {
	if f.Grants == nil {
		return nil
	}
	return f.Grants(f.Runs...)
}

// List returns the folders, sorted. It reads the grants once.
func (f *Folders) List() []string {
	if f.listed {
		return f.list
	}
	out := slices.Clone(f.Tried)
	for _, g := range f.grants() {
		out = append(out, g.Folder)
	}
	slices.Sort(out)
	configured := f.Config.Roots()
	f.list = slices.DeleteFunc(slices.Compact(out), func(folder string) bool { return slices.Contains(configured, folder) })
	f.listed = true
	return f.list
}

// Forget makes List read the grants again.
func (f *Folders) Forget() { f.listed = false }

// KeepFor leaves the grants out if a plan names no path, because reading them takes longer than the
// rest of its preview.
func (f *Folders) KeepFor(p plan.Plan) {
	if !namesPath(p) {
		f.Grants = nil
	}
}

// namesPath reports whether an argument of a plan is an absolute path, or a list with one.
func namesPath(p plan.Plan) bool {
	isPath := func(v any) bool { s, ok := v.(string); return ok && filepath.IsAbs(s) }
	return slices.ContainsFunc(p.Actions(), func(a plan.Action) bool {
		for _, v := range a.Args {
			if list, _ := v.([]any); isPath(v) || slices.ContainsFunc(list, isPath) {
				return true
			}
		}
		return false
	})
}

// CheckCall refuses a path in a granted folder whose grant does not count any more. The path is
// where the call's policy decision found it, so a link that was exchanged since the folder was
// granted leads nowhere.
func (f *Folders) CheckCall(spec tool.Spec, call tool.Call) *tool.Error {
	if len(spec.Granted) == 0 {
		return nil
	}
	var configured, granted []string
	for _, folder := range spec.Folders() {
		if !slices.Contains(spec.Granted, folder) {
			real, _ := realpath.Resolve(folder)
			configured = append(configured, real)
		}
	}
	for _, g := range f.grants() {
		granted = append(granted, g.Real)
	}
	for _, arg := range spec.PathArgs(call.Args) {
		real, entry := placeOf(call, arg.Path)
		isIn := func(folder string) bool { return realpath.Contains(folder, real) || realpath.Contains(folder, entry) }
		isBelow := func(folder string) bool { // the folder itself may be a link now
			return realpath.Contains(folder, real) || entry != folder && realpath.Contains(folder, entry)
		}
		if !slices.ContainsFunc(configured, isIn) && !slices.ContainsFunc(granted, isBelow) {
			return tool.NewError(tool.PolicyDenied, tool.CodeOutsideRoots, message.New("runs.folder_not_allowed_now", "path", arg.Path)).WithHint(realpath.GrantHint(arg.Path))
		}
	}
	return nil
}

// placeOf returns where a path of a call leads, and the path itself without links on the way.
func placeOf(call tool.Call, path string) (real, entry string) {
	for _, p := range call.Places {
		if p.Path == path {
			return p.Real, p.Entry
		}
	}
	real, _ = realpath.Resolve(path)
	entry, _ = realpath.Entry(path)
	return real, entry
}
