package answers

import "path/filepath"

// maxPaths is how many paths a summary names.
const maxPaths = 5

// DeletedPaths returns the paths of what a call deletes, where its arguments list that; see
// [display.Tool.Deletes].
func DeletedPaths(tool string, args map[string]any) []string {
	d, _ := displayOf(tool)
	list, _ := args[d.Deletes].([]any)
	base, _ := args["path"].(string)
	var paths []string
	for _, item := range list {
		m, _ := item.(map[string]any)
		name, ok := m["name"].(string)
		if !ok || base == "" {
			return nil // it is of another kind, and is shown as it is
		}
		paths = append(paths, filepath.Join(base, name))
	}
	return paths
}

// ListsDeleted reports whether an argument of a tool's calls is what [DeletedPaths] reads.
func ListsDeleted(tool, arg string) bool {
	d, _ := displayOf(tool)
	return d.Deletes == arg && arg != ""
}

// deletionParams are the parameters of a summary that names paths: those that lie in no other
// one, and how many do.
func deletionParams(paths []string) []any {
	named := make(map[string]bool, len(paths))
	for _, p := range paths {
		named[p] = true
	}
	var top []string
	for _, p := range paths {
		above := filepath.Dir(p)
		for above != filepath.Dir(above) && !named[above] {
			above = filepath.Dir(above)
		}
		if !named[above] {
			top = append(top, FormatValue(p))
		}
	}
	shown := top[:min(maxPaths, len(top))]
	return []any{"paths", shown, "more", len(top) - len(shown), "count", len(paths) - len(top)}
}
