package places

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// CheckGoals returns the error for goals about files and folders that can't be reached
// because of what is there: something to delete is missing or of another kind, or something
// of another kind is in the way of what is created. It is nil if nothing is wrong. If look
// is set, it offers names in the same folder that are near a missing one.
func (p Places) CheckGoals(in FileGoals, world plan.World, look bool) *tool.Error {
	goals := p.Settle(in, world.RecentFacts).Goals
	if fault := checkKinds(goals, world); fault != nil {
		return fault
	}
	if fault := p.CheckExisting(in, goals, world.RecentFacts, look); fault != nil {
		return fault
	}
	var reasons, near []message.Message
	for _, g := range goals {
		if g.GoalType != plan.FileOperation || g.Action != "delete" || !slices.Contains(world.RecentFacts, factMissing+g.Target) {
			continue
		}
		reasons = append(reasons, message.New("reason.not_there", "kind", g.ObjectType, "path", g.Target))
		if !look {
			continue
		}
		near = append(near, nearOf(g.ObjectType, []string{g.Target})...)
	}
	if len(reasons) == 0 {
		return nil
	}
	fault := tool.NewError(tool.ExecutionError, CodeNotFound, reasons[0])
	if len(reasons) > 1 {
		fault.Message = message.New("reason.several", "reasons", reasons)
	}
	if len(near) > 0 {
		return fault.WithHint(message.New("planning.near_names", "paths", near))
	}
	return fault
}

// CodeOtherKind is the code of the error about a path that is a folder where the goal says a
// file, or the reverse.
const CodeOtherKind = "other_kind"

// checkKinds returns the error for the first goal whose path has another kind of object.
func checkKinds(goals []plan.Goal, world plan.World) *tool.Error {
	isDeleted := func(path string) bool {
		return slices.ContainsFunc(goals, func(g plan.Goal) bool {
			return g.GoalType == plan.FileOperation && g.Action == "delete" && g.Target == path
		})
	}
	for _, g := range goals {
		if g.GoalType != plan.FileOperation || !slices.Contains(world.RecentFacts, otherKind[g.ObjectType]+g.Target) {
			continue
		}
		is := map[string]string{"file": "folder", "folder": "file"}[g.ObjectType]
		fault := tool.NewError(tool.ExecutionError, CodeOtherKind, message.New("reason.other_kind", "path", g.Target, "kind", is))
		switch {
		case g.Action == "delete":
			return fault.WithHint(message.New("planning.delete_other_kind", "path", g.Target, "kind", is))
		case g.Action == "create" && !isDeleted(g.Target):
			return fault.WithHint(message.New("planning.other_name", "path", g.Target, "kind", is))
		case g.IsOnExisting() && g.Action != plan.FindAction:
			return fault
		}
	}
	return nil
}

// Bounds of near names.
const (
	maxNear    = 3
	maxLooked  = 2000 // entries of the folder
	longestTry = 100  // letters of a name
)

// notThere says that nothing with a name exists. For a name without a folder it says in which
// folders it was looked for, and which known ones are not allowed.
func (p Places) notThere(kind, name string, tried []string) message.Message {
	if !isBare(name) {
		return message.New("reason.not_there", "kind", kind, "path", strings.TrimRight(tried[0], "/"))
	}
	var folders []message.Message
	for _, path := range tried {
		folders = append(folders, message.Verbatim(filepath.Dir(strings.TrimRight(path, "/"))))
	}
	closed := closedFolders(p)
	if len(closed) == 0 {
		return message.New("reason.not_there_in", "kind", kind, "name", name, "folders", folders)
	}
	return message.New("planning.not_there_open", "kind", kind, "name", strings.TrimRight(name, "/"), "folders", folders, "closed", paths(closed), "example", closed[0])
}

// nearOf are the paths near to those that were tried, those of the kind that the goal
// names first. Folders end in a slash if it names no folder.
func nearOf(kind string, tried []string) []message.Message {
	var near []message.Message
	for _, folder := range []bool{kind == "folder", kind != "folder"} {
		for _, path := range tried {
			for _, n := range nearNames(path, folder) {
				if folder && kind != "folder" {
					n += "/"
				}
				near = append(near, message.Verbatim(n))
			}
		}
	}
	return near[:min(len(near), maxNear)]
}

// nearNames are the paths beside a missing one whose names differ by few letters, the
// nearest first.
func nearNames(path string, folder bool) []string {
	path = strings.TrimRight(path, "/")
	dir, name := filepath.Split(path)
	runes := []rune(strings.ToLower(name))
	if len(runes) > longestTry {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxLooked)
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, e := range entries {
		other := []rune(strings.ToLower(e.Name()))
		if e.IsDir() != folder || len(other) > longestTry {
			continue
		}
		apart := message.Distance(runes, other)
		if apart <= max(1, len(runes)/3) || isPartOf(runes, other) || isPartOf(other, runes) {
			found = append(found, candidate{e.Name(), apart})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, c := range found[:min(len(found), maxNear)] {
		out = append(out, dir+c.name)
	}
	return out
}

// isPartOf reports whether another name contains a name of three letters or more, without its
// extension, or begins with one that differs from it by one letter: "reports" and "report 2025".
func isPartOf(name, other []rune) bool {
	stem := []rune(strings.TrimSuffix(string(name), filepath.Ext(string(name))))
	if len(stem) < 3 || len(stem) >= len(other) {
		return false
	}
	return strings.Contains(string(other), string(stem)) || len(stem) > 4 && message.Distance(stem, other[:len(stem)]) <= 1
}
