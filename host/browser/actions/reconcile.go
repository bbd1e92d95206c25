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

// maxEntries is the maximum number of folder entries to search for a file.
const maxEntries = 10_000

// callMark returns the mark for a call's file. It is derived from the idempotency key,
// which other programs must not learn.
func callMark(key string) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

// reconcileDownload looks for the file of an interrupted call. A download is marked before
// it atomically gets its name. If the file system stores marks, the mark therefore
// decides. Otherwise only a free name proves that the file was never saved.
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
	dir, err := transfer.FindFolder(o.Files.roots(), call, folder)
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
	_, hasMark := transfer.ReadMark(self, transfer.KeyMark)
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
	return tool.Reconciled{Effect: stateWithoutMark(hasMark, name, taken)}, nil
}

// stateWithoutMark returns the state of the effect if no file has the mark. kept reports
// whether the folder stores marks, name is the file's name if known, and taken reports
// whether that name exists.
func stateWithoutMark(hasMark bool, name string, taken bool) tool.EffectState {
	if hasMark || name != "" && !taken {
		return tool.Released
	}
	return tool.Unknown
}

// readMarkedFile reports whether a file has the mark, and describes it.
func readMarkedFile(ctx context.Context, dir *os.Root, folder, name, want string) (got page.Downloaded, is bool, err error) {
	f, err := dir.Open(name)
	if err != nil { // Errand's own files are readable
		return got, false, nil
	}
	defer f.Close()
	if mark, _ := transfer.ReadMark(f, transfer.KeyMark); mark != want {
		return got, false, nil
	}
	h := sha256.New()
	size, err := io.Copy(h, tool.NewReader(ctx, f))
	if err != nil {
		return got, true, err
	}
	origin, _ := transfer.ReadMark(f, transfer.OriginMark)
	return page.Downloaded{Path: filepath.Join(folder, name), Name: name, Size: size, SHA256: hex.EncodeToString(h.Sum(nil)), URL: origin}, true, nil
}

// differsByNumber reports whether a file name is the given one, with or without a number.
func differsByNumber(have, name string) bool {
	if have == name {
		return true
	}
	stem, ext := transfer.SplitExt(name)
	return strings.HasPrefix(have, stem+" (") && strings.HasSuffix(have, ")"+ext)
}
