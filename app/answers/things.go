package answers

import "path/filepath"

// mostThings is how many paths a summary names.
const mostThings = 5

// Things returns the paths of what a call deletes, where its arguments list that; see
// [display.Tool.Things].
func Things(tool string, args map[string]any) []string {
	d, _ := displayOf(tool)
	list, _ := args[d.Things].([]any)
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

// IsThings reports whether an argument of a tool's calls is what [Things] reads.
func IsThings(tool, arg string) bool {
	d, _ := displayOf(tool)
	return d.Things == arg && arg != ""
}

// thingsParams are the parameters of a summary that names paths: those that lie in no other
// one, and how many do.
func thingsParams(paths []string) []any {
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
	shown := top[:min(mostThings, len(top))]
	return []any{"paths", shown, "more", len(top) - len(shown), "count", len(paths) - len(top)}
}
