package run

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/tool"
)

// declare adds the paths that the call i may have changed: those in the arguments that it
// writes to, and those in the facts that it reports. That its tool may write anywhere
// declares nothing, because another program may have made a change there.
func (b *batch) declare(i int, r tool.Result) {
	if b.subjects.subjects == nil {
		return
	}
	v := b.subjects.verdicts[i]
	spec := v.effectiveSpec()
	if spec.SideEffectClass != tool.Read {
		for _, f := range v.Files {
			if len(spec.Writes) == 0 || slices.ContainsFunc(spec.Writes, func(name string) bool { return names(b.calls[i].Args[name], f.Path) }) {
				b.subjects.declared = append(b.subjects.declared, f.Path, f.Real)
			}
		}
	}
	for _, fact := range r.Facts {
		if p, ok := strings.CutPrefix(strings.TrimPrefix(fact, "!"), "exists:"); ok && filepath.IsAbs(p) {
			b.subjects.declared = append(b.subjects.declared, filepath.Clean(p))
		}
	}
}

// names reports whether an argument is a path or contains it.
func names(arg any, path string) bool {
	switch arg := arg.(type) {
	case string:
		return filepath.Clean(arg) == path
	case []any:
		return slices.ContainsFunc(arg, func(item any) bool { return names(item, path) })
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(arg)), func(item any) bool { return names(item, path) })
	}
	return false
}
