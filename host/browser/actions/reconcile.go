package actions

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

	"errand/host/browser/page"
	"errand/host/browser/transfer"
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

// reconcileDownload looks for the file of a call that was interrupted. A download gets
// its mark before its name, and its name in one step. On a file system that keeps
// marks the mark therefore decides. On others only a free name shows that the file
// was never saved.
func (o Options) reconcileDownload(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	a := args(call.Args)
	folder, name, fail := o.Files.target(a)
	if fail != nil {
		return tool.Reconciled{}, fail
	}
	root, rel, fail := transfer.FindRoot(o.Files.roots(), folder)
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
	_, kept := transfer.ReadMark(self, transfer.KeyMark)
	entries, err := self.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) || len(entries) == maxEntries {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	taken := false
	for _, e := range entries {
		taken = taken || name != "" && differsByNumber(e.Name(), name)
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), transfer.PartPrefix) {
			continue
		}
		got, is, err := readMarkedFile(ctx, dir, filepath.Join(root, rel), e.Name(), want)
		if err != nil {
			return tool.Reconciled{Effect: tool.Unknown}, nil
		}
		if is {
			return tool.Reconciled{Effect: tool.Committed, Result: result(got)}, nil
		}
	}
	return tool.Reconciled{Effect: stateWithoutMark(kept, name, taken)}, nil
}

// stateWithoutMark is what it means that no file has the mark: kept says whether the
// folder keeps marks, name is the file's where it was known, taken whether
// something has it.
func stateWithoutMark(kept bool, name string, taken bool) tool.EffectState {
	if kept || name != "" && !taken {
		return tool.Released
	}
	return tool.Unknown
}

// readMarkedFile reports whether a file has the mark, and what it is.
func readMarkedFile(ctx context.Context, dir *os.Root, folder, name, want string) (got page.Downloaded, is bool, err error) {
	f, err := dir.Open(name)
	if err != nil { // a file of ours can be read
		return got, false, nil
	}
	defer f.Close()
	if mark, _ := transfer.ReadMark(f, transfer.KeyMark); mark != want {
		return got, false, nil
	}
	h := sha256.New()
	size, err := io.Copy(h, transfer.NewReader(ctx, f))
	if err != nil {
		return got, true, err
	}
	origin, _ := transfer.ReadMark(f, transfer.OriginMark)
	return page.Downloaded{Path: filepath.Join(folder, name), Name: name, Size: size, SHA256: hex.EncodeToString(h.Sum(nil)), URL: origin}, true, nil
}

// differsByNumber reports whether a file may be the one of a name, with a number or
// without.
func differsByNumber(have, name string) bool {
	if have == name {
		return true
	}
	stem, ext := transfer.SplitExt(name)
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
