package files

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// Thing is a file or folder that a clause may mean.
type Thing struct{ Path, Object string }

// ResultOf is what a file goal leaves, or nothing if that is not certain.
func ResultOf(d parse.Draft) Thing {
	g := d.Goal
	switch {
	case g.GoalType != plan.FileOperation || g.AreFiles() || d.Inside || d.Into || g.Action == "delete":
		return Thing{}
	case g.Action == plan.FindAction && lexicon.FileExtension(g.Query) != "" && g.Value == "": // "find a.txt and open it"
		return Thing{foundIn(g.Target) + g.Query, parse.FileType}
	case g.Action == plan.FindAction:
		return Thing{}
	}
	to := g.NewPath()
	switch {
	case to == "":
		return Thing{g.Target, g.ObjectType}
	case g.Action == plan.ZipAction:
		return Thing{to, parse.FileType}
	case g.Action == plan.UnzipAction:
		return Thing{to, parse.FolderType}
	}
	return Thing{to, g.ObjectType}
}

// foundIn is the folder of a find goal, or nothing if that looks everywhere.
func foundIn(folder string) string {
	if folder == everywhere {
		return ""
	}
	return folder
}

// RemovesOwnFolder reports whether a goal deletes, moves or renames a folder of the user as a whole, which "it" never
// means: "list my documents and delete it".
func RemovesOwnFolder(g plan.Goal) bool {
	at := strings.TrimRight(g.Target, "/")
	return strings.HasPrefix(at, "~") && strings.Count(at, "/") <= 1 && g.ObjectType == parse.FolderType && (g.Action == "delete" || g.Action == plan.MoveAction || g.Action == plan.RenameAction)
}

// MovesNewThing reports whether a goal gives another place or name to what the goal before it
// creates in no certain place: "create a folder reports and put it in documents".
func MovesNewThing(before, g plan.Goal) bool {
	return before.Action == "create" && !strings.ContainsAny(before.Target, `/\`) && (g.Action == plan.MoveAction || g.Action == plan.RenameAction)
}
