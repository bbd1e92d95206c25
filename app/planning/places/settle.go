package places

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"errand/host/files"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// knownFolders are where a file is looked for whose folder the words don't name.
var knownFolders = []string{"~/Desktop", "~/Documents", "~/Downloads", "~/Pictures", "~/Music", "~/Videos"}

// Facts of the world about what a path is.
const (
	factFile    = "is_file:"
	factFolder  = "is_folder:"
	factExists  = "exists:"
	factMissing = "!exists:"
)

// candidates are the paths that a goal about something that exists may mean: the one that it
// names, or, for a name without a folder, that name in the working folder, in the folders of
// the user and in those that are granted.
func (p Places) candidates(g plan.Goal, work string) []string {
	name := g.Target
	if name == "" || files.Climbs(name) {
		return nil
	}
	if !isBare(name) {
		out := []string{p.Place(name)}
		if folder, rest, ok := folderOf(name); ok {
			for _, f := range (namedFolders{p}).candidates(folder, work) {
				if !slices.Contains(out, f+rest) {
					out = append(out, f+rest)
				}
			}
		}
		return out
	}
	var out []string
	add := func(folder string) {
		path := filepath.Join(folder, name)
		if folder != "" && p.isGranted(path) && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	add(work)
	for _, folder := range knownFolders {
		add(p.ResolvePath(folder))
	}
	for _, root := range p.roots() {
		add(root)
	}
	return out
}

// isBare reports whether a target is a name without a folder. A folder may end in a slash. The home
// folder "~/" has no name.
func isBare(target string) bool {
	name := strings.TrimRight(target, "/")
	return name != "~" && !strings.ContainsAny(name, `/\`)
}

// lookAt returns the facts about the paths that a goal about something that exists may mean,
// and about the path that it makes.
func (p Places) lookAt(g plan.Goal, work string) []string {
	var facts []string
	name := g.Target
	for _, path := range p.candidates(g, work) {
		facts = append(facts, p.lookUp(path)...)
		g.Target = p.realPath(path)
		if g.AreFiles() {
			facts = append(facts, p.lookAtFiles(g, g.Target)...)
			continue
		}
		if to := p.newPath(g); to != "" {
			facts = append(facts, p.lookUp(to)...)
			facts = append(facts, p.look(filepath.Dir(strings.TrimRight(p.realPath(to), "/")))...)
		}
	}
	g.Target = name
	if known := newFactSet(facts); isBare(name) && len(p.present(g, work, known)) == 0 {
		facts = append(facts, p.lookBelow(name)...)
	}
	return facts
}

// LookAtAll returns the facts about what all file goals may mean. Of something to create, it looks
// only at how the names are written.
func (p Places) LookAtAll(in FileGoals) (facts []string) {
	for i, g := range in.Set.Goals {
		for _, path := range pathsIn(&g) {
			facts = append(facts, namedFolders{p}.lookForFolder(*path, in.work)...)
		}
		placed := namedFolders{p}.placeGoal(in, i, g, newFactSet(facts))
		g.Destination = placed.Destination
		for _, reading := range in.readings(g) {
			switch {
			case g.GoalType != plan.FileOperation:
			case g.Action == plan.FindAction:
				if g.Value != "" {
					facts = append(facts, factNow+p.Now().Format(time.RFC3339))
				}
				facts = append(facts, p.lookAt(reading, in.work)...)
			case g.IsOnExisting():
				facts = append(facts, p.lookAt(reading, in.work)...)
				if in.Writes[g.GoalID] && len(nearOf("file", p.candidates(g, in.work))) > 0 {
					facts = append(facts, factNear+g.Target)
				}
			default:
				facts = append(facts, p.lookUpNames(placed)...)
			}
		}
	}
	return facts
}

// lookUpNames returns the facts about the path of a goal if its names differ on disk.
func (p Places) lookUpNames(g plan.Goal) []string {
	if path := p.Place(g.Target); g.Target != "" && !files.Climbs(path) && p.isGranted(path) && p.realPath(path) != path {
		return p.lookUp(path)
	}
	return nil
}

// look returns the fact about a path inside a granted folder: a file, a folder, or nothing.
func (p Places) look(path string) []string {
	path = strings.TrimRight(path, "/")
	if path == "" || !p.isGranted(path) || files.Climbs(path) {
		return nil
	}
	switch info, err := os.Stat(path); {
	case os.IsNotExist(err):
		return []string{factMissing + path}
	case err != nil:
		return nil
	case info.IsDir():
		return []string{factFolder + path}
	case info.Mode().IsRegular():
		return []string{factFile + path}
	}
	return nil
}

// newPath is the path that a goal makes, with its destination on this machine.
func (p Places) newPath(g plan.Goal) string {
	if g.Destination != "" && (g.Action != plan.RenameAction || strings.ContainsAny(g.Destination, `/\`)) {
		g.Destination = placeNew(p, g)
	}
	return g.NewPath()
}

// placeNew is where a goal's destination is: a new name alone stays beside the original, "copy a.txt
// to b.txt".
func placeNew(p Places, g plan.Goal) string {
	folder := filepath.Dir(strings.TrimRight(g.Target, "/"))
	if isBare(g.Destination) && !strings.HasSuffix(g.Destination, "/") && g.Action != plan.UnzipAction && filepath.IsAbs(g.Target) && p.isGranted(folder) {
		return filepath.Join(folder, g.Destination)
	}
	return p.Place(g.Destination)
}

// Settle completes goals about something that exists with what the world says: the folder of
// a bare name, whether it is a file or a folder, and whether a destination is a folder. It
// looks at nothing, so that a replay gives the same goals.
func (p Places) Settle(in FileGoals, facts []string) plan.GoalSet {
	known := newFactSet(facts)
	set := plan.GoalSet{Goals: slices.Clone(in.Set.Goals), Deps: in.Set.Deps}
	for i, g := range set.Goals {
		set.Goals[i] = namedFolders{p}.placeGoal(in, i, g, known)
	}
	set = p.resolve(set)
	goals := slices.Clone(set.Goals)
	made := map[string]string{} // names of what earlier goals make, with their paths
	for i := range goals {
		g := &goals[i]
		if g.GoalType == plan.FileOperation {
			*g = atTime(*g, facts)
			g.Target = known.real(g.Target)
		}
		said := in.Set.Goals[i]
		if g.GoalType == plan.FileOperation && g.Action == "create" && isBare(said.Target) {
			made[said.Target] = strings.TrimRight(g.Target, "/")
		}
		if !g.IsOnExisting() {
			continue
		}
		said = p.findReading(in, said, known)
		if path := made[strings.TrimRight(said.Target, "/")]; path != "" { // "rename a.txt to b.txt and open it"
			g.Target = path
		} else if found := p.present(said, in.work, known); len(found) > 0 {
			g.Target = found[0]
		} else {
			p.createWritten(in, g, said, known)
		}
		switch path := strings.TrimRight(g.Target, "/"); {
		case g.ObjectType != "" || g.Action == plan.FindAction:
		case known[factFolder+path]:
			g.ObjectType = "folder"
		case known[factFile+path]:
			g.ObjectType = "file"
		}
		if g.Destination != "" && (g.Action != plan.RenameAction || strings.ContainsAny(g.Destination, `/\`)) {
			p.settleDestination(g, known)
		}
		if g.Action == plan.ZipAction && g.Destination == "" && !g.AreFiles() {
			g.Destination = besideRoot(p, strings.TrimRight(g.Target, "/"))
		}
		if to := strings.TrimRight(g.NewPath(), "/"); to != "" && !g.AreFiles() && filepath.Base(to) != filepath.Base(g.Target) {
			made[filepath.Base(to)] = to
		}
	}
	return plan.NewGoalSet(goals, set.Deps)
}

// settleDestination completes a destination: one that is a folder ends in a slash.
func (p Places) settleDestination(g *plan.Goal, known factSet) {
	folder := strings.HasSuffix(g.Destination, "/")
	g.Destination = known.real(placeNew(p, *g))
	if path := strings.TrimRight(g.Destination, "/"); !folder && g.Action != plan.UnzipAction && known[factFolder+path] && path != g.Target {
		g.Destination = path + "/"
	}
}

// besideRoot is where the archive of a granted folder goes whose parent is not granted: into another
// granted folder. It is "" for all other folders, whose archives go beside them.
func besideRoot(p Places, path string) string {
	if p.isGranted(filepath.Dir(path)) || !p.isGranted(path) {
		return ""
	}
	for _, root := range p.roots() {
		if !realpath.Contains(path, root) && !realpath.Contains(root, path) {
			return root + "/"
		}
	}
	return ""
}

// Spread replaces a search of a folder that is not granted, such as the home folder, by one of
// each granted folder in it.
func (p Places) Spread(set plan.GoalSet) plan.GoalSet {
	var goals []plan.Goal
	for _, g := range set.Goals {
		if g.GoalType != plan.FileOperation || g.Action != plan.FindAction || p.isGranted(g.Target) {
			goals = append(goals, g)
			continue
		}
		n := 0
		for _, root := range p.roots() {
			if !realpath.Contains(g.Target, root) {
				continue
			}
			part := g
			if n++; n > 1 {
				part.GoalID = fmt.Sprintf("%s_%d", g.GoalID, n)
			}
			part.Target = root
			goals = append(goals, part)
		}
		if n == 0 {
			goals = append(goals, g)
		}
	}
	return plan.NewGoalSet(goals, set.Deps)
}

// present are the candidates of a goal that are there: those with exactly its name, else those
// whose name differs in case, else files of that name further down.
func (p Places) present(g plan.Goal, work string, known factSet) []string {
	var exact, folded []string
	for _, path := range p.candidates(g, work) {
		switch real := known.real(path); {
		case !known.has(strings.TrimRight(real, "/")):
		case real == path:
			exact = append(exact, path)
		default:
			folded = append(folded, real)
		}
	}
	switch {
	case len(exact) > 0:
		return exact
	case len(folded) > 0 || !isBare(g.Target) || g.Target == "":
		return folded
	}
	return known.below(g.Target, p.roots())
}

// factSet tells which facts a world has.
type factSet map[string]bool

func newFactSet(facts []string) factSet {
	known := make(factSet, len(facts))
	for _, f := range facts {
		known[f] = true
	}
	return known
}

// Codes of errors about files that exist.
const (
	CodeNotFound = "not_found" // a plan shows what it was taken for
	codeSeveral  = "several_found"
	codeTaken    = "destination_exists"
)

// CheckExisting returns the error for the first goal about something that exists whose name
// fits nothing or several things, or whose new path is taken.
func (p Places) CheckExisting(in FileGoals, goals []plan.Goal, facts []string, look bool) *tool.Error {
	known := newFactSet(facts)
	if fault := (namedFolders{p}).checkFolders(in, known); fault != nil {
		return fault
	}
	made := map[string]bool{} // by earlier goals
	for i, g := range goals {
		path := strings.TrimRight(g.Target, "/")
		if g.GoalType == plan.FileOperation && g.Action == "create" {
			made[path] = true
		}
		if !g.IsOnExisting() {
			continue
		}
		said := p.findReading(in, in.Set.Goals[i], known)
		if found := p.present(said, in.work, known); len(found) > 1 && !made[path] {
			return tool.NewError(tool.ValidationError, codeSeveral, message.New("planning.several_found", "name", said.Target, "paths", paths(found))).
				WithHint(message.New("planning.say_which", "name", said.Target))
		}
		if g.AreFiles() {
			if fault := p.checkFiles(said, g, in.work, facts, made, look); fault != nil {
				return fault
			}
			continue
		}
		if g.Action == "delete" && !isBare(said.Target) {
			continue
		}
		if fault := p.missing(said, g, in.work, known, made, look); fault != nil {
			return fault
		}
		to := strings.TrimRight(g.NewPath(), "/")
		if to == "" || g.Action == "delete" {
			continue
		}
		if is := known[factFile+to] || known[factFolder+to]; is && g.Action != plan.UnzipAction {
			return tool.NewError(tool.ValidationError, codeTaken, message.New("planning.destination_exists", "path", to)).
				WithHint(message.New("planning.choose_other_name"))
		}
		made[to] = true
	}
	return nil
}

// missing returns the error for a goal about something that is not there, if the world says
// so and no earlier goal makes it.
func (p Places) missing(said, g plan.Goal, work string, known factSet, made map[string]bool, look bool) *tool.Error {
	path := strings.TrimRight(g.Target, "/")
	tried := p.candidates(said, work)
	for dir := path; dir != "" && dir != "/" && dir != "."; dir = filepath.Dir(dir) {
		if made[dir] {
			return nil
		}
	}
	if !slices.ContainsFunc(tried, func(t string) bool { return known[factMissing+strings.TrimRight(known.real(t), "/")] }) || len(p.present(said, work, known)) > 0 {
		return nil
	}
	if !isBare(said.Target) {
		tried = []string{path}
	}
	kind := g.ObjectType
	if g.Action == plan.FindAction { // the target is where to look
		kind = "folder"
	}
	fault := tool.NewError(tool.ExecutionError, CodeNotFound, p.notThere(kind, said.Target, tried))
	if !look {
		return fault
	}
	if near := nearOf(kind, tried); len(near) > 0 {
		return fault.WithHint(message.New("planning.near_names", "paths", near))
	}
	return fault
}

func paths(list []string) []message.Message {
	out := make([]message.Message, len(list))
	for i, path := range list {
		out[i] = message.Verbatim(path)
	}
	return out
}
