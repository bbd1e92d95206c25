package run

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/realpath"
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

// isExplained reports whether the difference between two subjects of a call is the effect of
// calls that declare these paths. The call must not destroy more than before, except for the
// declared paths themselves.
func (s subject) isExplained(now subject, declared []string) bool {
	if len(s.files) != len(now.files) || s.goesTo != "" && s.goesTo != now.goesTo {
		return false
	}
	for i, was := range s.files {
		if is := now.files[i]; is != was && !isFileExplained(was, is, declared) {
			return false
		}
	}
	if s.identity == now.identity {
		return true
	}
	if !slices.ContainsFunc(s.files, func(f tool.FileState) bool { return isNear(f, declared) }) {
		return false
	}
	return (now.count <= len(now.destroys) || len(now.destroys) == 0) && // else the others are not known
		!slices.ContainsFunc(now.destroys, func(p string) bool { return !slices.Contains(s.destroys, p) && !slices.Contains(declared, p) })
}

// isFileExplained reports whether a file is in a declared path, or is a folder that contains
// one and has no other new entries.
func isFileExplained(was, is tool.FileState, declared []string) bool {
	within := func(p string) bool {
		return slices.ContainsFunc(declared, func(d string) bool { return d != "" && realpath.Contains(d, p) })
	}
	if was.Path == is.Path && (within(was.Path) || within(is.Real)) {
		return true
	}
	if was.Kind != tool.FileFolder || is.Kind != tool.FileFolder || was.Real != is.Real {
		return false
	}
	var below []string // by the real path, each once
	for _, d := range declared {
		for _, folder := range []string{is.Path, is.Real} {
			if rel, err := filepath.Rel(folder, d); err == nil && filepath.IsLocal(rel) && !slices.Contains(below, rel) {
				below = append(below, rel)
			}
		}
	}
	return len(below) > 0 && is.Size <= was.Size+int64(len(below))
}

// isNear reports whether a declared path is in a file's path or contains it.
func isNear(f tool.FileState, declared []string) bool {
	return slices.ContainsFunc(declared, func(d string) bool {
		near := func(p string) bool { return realpath.Contains(d, p) || realpath.Contains(p, d) }
		return d != "" && (near(f.Path) || f.Real != "" && near(f.Real))
	})
}
