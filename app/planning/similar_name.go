package planning

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

// CheckMissing returns the error for goals that delete something which is not there, and offers
// names in the same folder that are near, if look is set. It is nil if everything is there.
func (p *Planner) CheckMissing(in Interpretation, world plan.World, look bool) *tool.Error {
	var reasons, near []message.Message
	for _, g := range p.resolve(in.set).Goals {
		if g.GoalType != plan.FileOperation || g.Action != "delete" || !slices.Contains(world.RecentFacts, "!exists:"+g.Target) {
			continue
		}
		reasons = append(reasons, message.New("reason.not_there", "kind", g.ObjectType, "path", g.Target))
		if !look {
			continue
		}
		for _, path := range nearNames(g.Target, g.ObjectType == "folder") {
			near = append(near, message.Verbatim(path))
		}
	}
	if len(reasons) == 0 {
		return nil
	}
	fault := tool.NewError(tool.ExecutionError, "not_found", reasons[0])
	if len(reasons) > 1 {
		fault.Message = message.New("reason.several", "reasons", reasons)
	}
	if len(near) > 0 {
		return fault.WithHint(message.New("planning.near_names", "paths", near))
	}
	return fault
}

// Bounds of near names.
const (
	maxNear    = 3
	maxLooked  = 2000 // entries of the folder
	longestTry = 100  // letters of a name
)

// nearNames are the paths beside a missing one whose names differ by few letters, the
// nearest first.
func nearNames(path string, folder bool) []string {
	path = strings.TrimRight(path, "/")
	dir, name := filepath.Split(path)
	said := []rune(strings.ToLower(name))
	if len(said) > longestTry {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxLooked)
	type candidate struct {
		name  string
		apart int
	}
	var found []candidate
	for _, e := range entries {
		other := []rune(strings.ToLower(e.Name()))
		if e.IsDir() != folder || len(other) > longestTry {
			continue
		}
		apart := message.Distance(said, other)
		begins := len(said) > 2 && len(other) > 2 && (strings.HasPrefix(string(other), string(said)) || strings.HasPrefix(string(said), string(other)))
		if apart <= max(1, len(said)/3) || begins {
			found = append(found, candidate{e.Name(), apart})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.apart, b.apart), cmp.Compare(a.name, b.name)) })
	var out []string
	for _, c := range found[:min(len(found), maxNear)] {
		out = append(out, dir+c.name)
	}
	return out
}
