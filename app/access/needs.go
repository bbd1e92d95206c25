package access

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/app/config"
	"errand/app/drafts"
	"errand/host/files"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
)

// Needs finds the folders that a run needs and may not use yet. It returns none if the user must
// not be asked about one of them, or policy denies what needs it.
type Needs struct {
	Config *config.Loaded
	Denies func(tool.Spec, tool.Call) bool // policy denies a call
}

// OfGoals returns the folders that goals need beside the configured and the granted ones. specs are
// those of the tools.
func (n Needs) OfGoals(goals []plan.Goal, granted []string, specs []tool.Spec) (folders []string) {
	for _, g := range goals {
		needed := ofGoal(g, append(n.Config.Roots(), granted...))
		if len(needed) > 0 && n.denies(g, specs) {
			return nil
		}
		folders = append(folders, needed...)
	}
	folders, _ = n.askable(folders)
	return folders
}

// denies reports whether policy denies every tool for a goal about files.
func (n Needs) denies(g plan.Goal, specs []tool.Spec) bool {
	found := false
	for _, spec := range specs {
		isFor := func(object string) bool { return slices.Contains(spec.CanAchieve, g.Action+"_"+object) }
		if !isFor(g.ObjectType) && (g.ObjectType != "" && !g.AreFiles() || !isFor("file") && !isFor("folder")) {
			continue
		}
		found = true
		args := map[string]any{"path": g.Target}
		if to := g.NewPath(); to != "" {
			args["destination"] = to
		}
		if !n.Denies(spec, tool.Call{Tool: spec.Name, Args: args}) {
			return false
		}
	}
	return found
}

// OfPlan returns the folders that the calls of an evaluated plan need. It reports false if the
// plan has an error that no folder removes.
func (n Needs) OfPlan(e drafts.Evaluation) (folders []string, ok bool) {
	actions := e.Plan.Actions()
	for i, v := range e.Verdicts {
		if slices.Contains(e.Done, v.ActionID) {
			continue
		}
		needed, ok := OfCall(v.Spec, actions[i].Args)
		isOutside := v.Error != nil && v.Error.Code == tool.CodeOutsideRoots
		switch {
		case !ok, v.Error != nil && !isOutside, v.Error == nil && v.Decision.Verdict == policy.Deny, isOutside && len(needed) == 0:
			return nil, false
		case len(needed) > 0 && n.Denies(v.Spec, tool.Call{ActionID: v.ActionID, Tool: v.Tool, Args: actions[i].Args}):
			return nil, false
		}
		folders = append(folders, needed...)
	}
	return n.askable(folders)
}

// askable returns folders without those that are in another one, or false if the user must not be
// asked about one of them.
func (n Needs) askable(folders []string) (out []string, ok bool) {
	for _, folder := range folders {
		if n.Config.CheckAsk(folder) != nil {
			return nil, false
		}
		isAbove := func(other string) bool { return other != folder && realpath.Contains(other, folder) }
		if !slices.ContainsFunc(folders, isAbove) && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	return out, true
}

// ofGoal returns the folders in which a goal works, the smallest that will do, without those in
// roots. A goal that changes a folder itself, such as to delete it, works in the one above. The
// goal's paths are absolute.
func ofGoal(g plan.Goal, roots []string) (folders []string) {
	add := func(path string, isFolder bool) {
		folder := filepath.Clean(path)
		if !isFolder {
			folder = filepath.Dir(folder)
		}
		isGranted := slices.ContainsFunc(roots, func(root string) bool { return realpath.Contains(root, folder) })
		if filepath.IsAbs(path) && !files.Climbs(path) && !isGranted {
			folders = append(folders, folder)
		}
	}
	if g.SaveTo != "" {
		add(g.SaveTo, isFolder(g.SaveTo))
	}
	if g.GoalType != plan.FileOperation || g.Target == "" {
		return folders
	}
	switch {
	case g.Action == plan.FindAction && slices.ContainsFunc(roots, func(root string) bool { return realpath.Contains(g.Target, root) }):
		return folders // it looks only in these
	case g.AreFiles(), g.Action == plan.FindAction, g.Action == plan.ListAction:
		add(g.Target, true)
	case slices.Contains([]string{"create", "delete", plan.MoveAction, plan.RenameAction}, g.Action):
		add(g.Target, false)
	default:
		add(g.Target, isFolder(g.Target))
	}
	if g.Action != plan.RenameAction && isFolder(g.Destination) {
		add(g.Destination, true)
	} else if to := g.NewPath(); to != "" {
		add(to, false)
	}
	return folders
}

// OfCall returns the folders for the paths in a call's arguments that are in no folder of its
// tool. It reports false if a path contains "..", which no folder allows.
func OfCall(spec tool.Spec, args map[string]any) (folders []string, ok bool) {
	for _, value := range args {
		if text, isText := value.(string); isText && filepath.IsAbs(text) && files.Climbs(text) {
			return nil, false
		}
	}
	for _, arg := range spec.PathArgs(args) {
		if slices.ContainsFunc(spec.Folders(), func(root string) bool { return realpath.Contains(root, arg.Path) }) {
			continue
		}
		text, _ := args[arg.Argument].(string)
		saves := spec.Saves != nil && spec.Saves.Path == arg.Argument && spec.Saves.IsFolder != nil && spec.Saves.IsFolder(text)
		isChanged := slices.Contains(spec.Writes, arg.Argument)
		if saves || strings.HasSuffix(text, "/") || !isChanged && isFolder(arg.Path) {
			folders = append(folders, arg.Path)
		} else {
			folders = append(folders, filepath.Dir(arg.Path))
		}
	}
	return folders, true
}

// isFolder reports whether a path is a folder: one that exists, or ends in a separator.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || err != nil && strings.HasSuffix(path, "/")
}
