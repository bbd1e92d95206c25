// Package parts removes what calls of dead programs left: see [tool.PartName].
package parts

import (
	"errors"
	"io/fs"
	"path/filepath"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/trace"
)

// RemoveAll removes what the calls of claims left, as far as their tools are there. It does not
// matter if that fails: the next run tries again.
func RemoveAll(roots []string, tools *tool.Set, claims []trace.Claim) {
	for _, c := range claims {
		if t, ok := tools.Get(c.Step.ToolName); ok {
			_ = Remove(roots, t.Spec(), tool.Call{Key: c.Key, Args: c.Step.Args})
		}
	}
}

// Remove removes the temporary files and folders that a call left whose program died. spec is
// that of its tool, and roots are the granted folders. Nothing else is touched.
func Remove(roots []string, spec tool.Spec, call tool.Call) error {
	part := tool.PartName(call.Key)
	var errs []error
	for _, name := range spec.Writes {
		p, ok := call.Args[name].(string)
		if !ok || !filepath.IsAbs(p) {
			continue
		}
		for _, folder := range []string{filepath.Dir(filepath.Clean(p)), p} { // a call that fills a folder may use it, too
			if real, ok := realpath.Resolve(folder); ok {
				errs = append(errs, removePart(roots, real, part))
			}
		}
	}
	return errors.Join(errs...)
}

func removePart(roots []string, folder, part string) error {
	dir, err := realpath.Open(roots, folder)
	if err != nil {
		return nil // there is none, or it is not granted any more
	}
	defer dir.Close()
	if _, err := dir.Lstat(part); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return dir.RemoveAll(part)
}
