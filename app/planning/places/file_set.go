package places

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"errand/app/planning/filetime"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// Facts about a goal about many files. Its id follows.
const (
	factMatch   = "match:"       // then ":" and the path of a file that it means
	factTooMany = "match_limit:" // it means more than [plan.MaxFiles] files
	factNow     = "now:"         // the time from which "yesterday" is counted, in RFC 3339; no id follows
)

// lookAtFiles returns the facts about the files in folder that a goal about many files means,
// and about the paths that it makes of them.
func (p Places) lookAtFiles(g plan.Goal, folder string) (facts []string) {
	folder = strings.TrimRight(folder, "/")
	if !p.isGranted(folder) {
		return nil
	}
	entries, err := os.ReadDir(folder) // by name
	if err != nil {
		return nil
	}
	var found []filetime.File
	filter, words := plan.ParseFileFilter(g.Value), strings.Fields(strings.ToLower(g.Query))
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || strings.HasPrefix(name, ".") || !filter.Matches(name) || !containsAll(strings.ToLower(name), words) {
			continue
		}
		info, err := e.Info()
		if err != nil || !filetime.Matches(filter, info, p.Now()) {
			continue
		}
		found = append(found, filetime.File{Path: filepath.Join(folder, name), FileInfo: info})
	}
	found = filetime.First(found, filter.Order, g.Limit)
	if len(found) > plan.MaxFiles {
		return []string{factTooMany + g.GoalID}
	}
	if g.Target = folder + "/x"; g.Destination != "" {
		facts = append(facts, p.look(filepath.Dir(p.newPath(g)))...)
	}
	for _, f := range found {
		facts = append(facts, factMatch+g.GoalID+":"+f.Path, factFile+f.Path)
		if to := p.newPath(g.OfFile(f.Path)); to != "" {
			facts = append(facts, p.look(to)...)
		}
	}
	return facts
}

// atTime is a goal to find files with its times as the facts say: "yesterday" becomes a date.
func atTime(g plan.Goal, facts []string) plan.Goal {
	for _, f := range facts {
		if said, ok := strings.CutPrefix(f, factNow); ok && g.Action == plan.FindAction {
			if now, err := time.Parse(time.RFC3339, said); err == nil {
				g.Value = filetime.Resolve(plan.ParseFileFilter(g.Value), now).String()
			}
		}
	}
	return g
}

func containsAll(name string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) })
}

// matches are the paths that a goal about many files means, in order, by the facts.
func matches(g plan.Goal, facts []string) []string {
	var out []string
	folder := strings.TrimRight(g.Target, "/")
	for _, f := range facts {
		if path, ok := strings.CutPrefix(f, factMatch+g.GoalID+":"); ok && filepath.Dir(path) == folder {
			out = append(out, path)
		}
	}
	return out
}

// ShareFolders makes goals whose new paths are in the same missing folder wait for the first of
// them. It creates the folder alone, so that an undo removes the folder after all the others.
func ShareFolders(set plan.GoalSet, facts []string) plan.GoalSet {
	known := newFactSet(facts)
	first := map[string]string{} // ids of goals by the folders that they create
	deps := map[string][]string{}
	maps.Copy(deps, set.Deps)
	for _, g := range set.Goals {
		to := strings.TrimRight(g.NewPath(), "/")
		folder := filepath.Dir(to)
		if to == "" || !known[factMissing+folder] {
			continue
		}
		if first[folder] == "" {
			first[folder] = g.GoalID
		} else if !slices.Contains(deps[g.GoalID], first[folder]) {
			deps[g.GoalID] = append(slices.Clone(deps[g.GoalID]), first[folder])
		}
	}
	return plan.NewGoalSet(set.Goals, deps)
}

// Expand replaces each goal about many files by one goal for each file that the facts name. A
// goal that depends on it depends on all of these.
func Expand(set plan.GoalSet, facts []string) plan.GoalSet {
	var goals []plan.Goal
	parts := map[string][]string{} // ids of the goals for its files, by the goal's id
	for _, g := range set.Goals {
		if !g.AreFiles() {
			goals = append(goals, g)
			continue
		}
		for i, path := range matches(g, facts) {
			part := g.OfFile(path)
			if i > 0 {
				part.GoalID = fmt.Sprintf("%s_%d", g.GoalID, i+1)
			}
			goals, parts[g.GoalID] = append(goals, part), append(parts[g.GoalID], part.GoalID)
		}
		if parts[g.GoalID] == nil {
			goals = append(goals, g)
		}
	}
	deps := map[string][]string{}
	for id, needs := range set.Deps {
		var all []string
		for _, n := range needs {
			all = append(all, partsOr(parts, n)...)
		}
		for _, part := range partsOr(parts, id) {
			deps[part] = all
		}
	}
	return plan.NewGoalSet(goals, deps)
}

func partsOr(parts map[string][]string, id string) []string {
	if all := parts[id]; all != nil {
		return all
	}
	return []string{id}
}

// checkFiles returns the error for a goal about many files that means none or too many, or
// whose new paths are taken. It adds the new paths to made.
func (p Places) checkFiles(said, g plan.Goal, work string, facts []string, made map[string]bool, look bool) *tool.Error {
	known := newFactSet(facts)
	folder := strings.TrimRight(g.Target, "/")
	g.ObjectType = "folder"
	if fault := p.missing(said, g, work, known, made, look); fault != nil {
		return fault
	}
	g.ObjectType = plan.FilesType
	found := matches(g, facts)
	switch {
	case !p.isGranted(folder):
		return tool.NewError(tool.PolicyDenied, tool.CodeOutsideRoots, message.New("planning.folder_not_allowed", "path", folder)).
			WithHint(realpath.GrantHint(folder))
	case known[factTooMany+g.GoalID]:
		return tool.NewError(tool.ValidationError, "too_many_files", message.New("planning.too_many_files", "path", folder, "limit", plan.MaxFiles)).
			WithHint(message.New("planning.name_fewer_files"))
	case len(found) == 0 && known[factFolder+folder]:
		filter := plan.ParseFileFilter(g.Value)
		if extensions := filter.Extensions; len(extensions) > 0 && len(filter.Names) == 0 && g.Query == "" && filter.After == "" && filter.Before == "" && filter.Larger == 0 && filter.Smaller == 0 {
			return tool.NewError(tool.ExecutionError, CodeNotFound, message.New("planning.no_matching_files", "path", folder, "extensions", extensions))
		}
		return tool.NewError(tool.ExecutionError, CodeNotFound, message.New("planning.no_files", "path", folder, "filtered", g.Value != "" || g.Query != ""))
	}
	for _, path := range found {
		to := g.OfFile(path).NewPath()
		if to == "" || to == path {
			continue
		}
		if known[factFile+to] || known[factFolder+to] || made[to] {
			return tool.NewError(tool.ValidationError, codeTaken, message.New("planning.destination_exists", "path", to)).
				WithHint(message.New("planning.choose_other_name"))
		}
		made[to] = true
	}
	return nil
}
