package browser

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"errand/host/tool"
)

// maxEntries is in how many entries of a folder a file is looked for.
const maxEntries = 10_000

// callMark is what the file of a call is marked with: the call's idempotency key,
// which others need not read.
func callMark(key string) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

// reconcileDownload looks for the file of a call whose end nobody saw. It gets its
// mark before its name, and its name in one step: where files keep marks, one
// that is there is it and one that is not never was, or was taken away since.
// Elsewhere only a name that nothing has says anything.
func (o ToolOptions) reconcileDownload(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	a := args(call.Args)
	folder, name, fail := o.Files.target(a)
	if fail != nil {
		return tool.Reconciled{}, fail
	}
	root, rel, fail := inRoots(o.Files.roots(), folder)
	if fail != nil {
		return tool.Reconciled{}, fail
	}
	dir, err := openInside(root, rel)
	if errors.Is(err, fs.ErrNotExist) {
		return tool.Reconciled{Effect: tool.Released}, nil
	}
	if err != nil {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	defer dir.Close()
	want := callMark(call.Key)
	self, err := dir.Open(".")
	if err != nil || want == "" {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	defer self.Close()
	_, kept := marked(self, keyMark)
	entries, err := self.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) || len(entries) == maxEntries {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	taken := false
	for _, e := range entries {
		taken = taken || name != "" && sameButNumber(e.Name(), name)
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), partPrefix) {
			continue
		}
		got, is, err := lookAt(ctx, dir, filepath.Join(root, rel), e.Name(), want)
		if err != nil {
			return tool.Reconciled{Effect: tool.Unknown}, nil
		}
		if is {
			return tool.Reconciled{Effect: tool.Committed, Result: got.result()}, nil
		}
	}
	return tool.Reconciled{Effect: notFound(kept, name, taken)}, nil
}

// notFound is what it means that no file has the mark: kept says whether the
// folder keeps marks, name is the file's where it was known, taken whether
// something has it.
func notFound(kept bool, name string, taken bool) tool.EffectState {
	if kept || name != "" && !taken {
		return tool.Released
	}
	return tool.Unknown
}

// lookAt reports whether a file has the mark, and what it is.
func lookAt(ctx context.Context, dir *os.Root, folder, name, want string) (got Downloaded, is bool, err error) {
	f, err := dir.Open(name)
	if err != nil { // one that can't be read is none that was made here
		return got, false, nil
	}
	defer f.Close()
	if mark, _ := marked(f, keyMark); mark != want {
		return got, false, nil
	}
	h := sha256.New()
	size, err := io.Copy(h, newReader(ctx, f))
	if err != nil {
		return got, true, err
	}
	origin, _ := marked(f, originMark)
	return Downloaded{Path: filepath.Join(folder, name), Name: name, Size: size, SHA256: hex.EncodeToString(h.Sum(nil)), URL: origin}, true, nil
}

// sameButNumber reports whether a file may be the one of a name, with a number or
// without.
func sameButNumber(have, name string) bool {
	if have == name {
		return true
	}
	stem, ext := splitExt(name)
	return strings.HasPrefix(have, stem+" (") && strings.HasSuffix(have, ")"+ext)
}

// openInside opens a folder in a granted one and makes nothing.
func openInside(root, rel string) (*os.Root, error) {
	top, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	return top.OpenRoot(rel)
}
