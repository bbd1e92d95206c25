package transfer

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"errand/host/browser/address"
	"errand/host/tool"
)

// A file on its way into a granted folder is in that folder already, under a
// name of ours, so that one rename makes it whole and visible. Its path is noted
// in the scratch folder before it is made, so that a sweep finds it.
const (
	unfinishedName = "unfinished"
	PartPrefix     = ".errand-"
	partSuffix     = ".part"
)

// maxNumber is up to which number a free name is looked for: "name (1000).ext".
const maxNumber = 1000

// Destination is where a file goes: a granted folder, opened, and a name.
type Destination struct {
	Dir    *os.Root
	Folder string
	Name   string // "": the one that is suggested
	Call   string // what the file is marked with, to be known again; "": nothing
}

// Placed is a file in its place.
type Placed struct {
	Path   string
	Size   int64
	SHA256 string
}

// Place copies the file at from to its place, under its name or the first numbered
// one that is free. Nothing is ever overwritten. note is the scratch folder. It
// ends soon after ctx does.
func Place(ctx context.Context, from string, to Destination, origin, note string) (Placed, error) {
	dir, folder := to.Dir, to.Folder
	in, err := os.Open(from)
	if err != nil {
		return Placed{}, err
	}
	defer in.Close()
	part := PartPrefix + strings.ToLower(rand.Text()) + partSuffix
	if err := noteUnfinished(note, filepath.Join(folder, part)); err != nil {
		return Placed{}, err
	}
	out, err := dir.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return Placed{}, err
	}
	defer dir.Remove(part) // the file stays under its final name
	h := sha256.New()
	size, err := io.Copy(io.MultiWriter(out, h), NewReader(ctx, in))
	if err == nil {
		mark(out, OriginMark, origin)
		if to.Call != "" { // before it has its name: a file that has one has the mark
			mark(out, KeyMark, to.Call)
		}
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return Placed{}, err
	}
	name, err := claimName(dir, part, to.Name)
	if err != nil {
		return Placed{}, err
	}
	return Placed{filepath.Join(folder, name), size, hex.EncodeToString(h.Sum(nil))}, nil
}

// claimName gives the file part the first name that is free.
func claimName(dir *os.Root, part, name string) (string, error) {
	for i := 1; i <= maxNumber; i++ {
		try := name
		if i > 1 {
			try = addNumber(name, i)
		}
		err := dir.Link(part, try) // unlike a rename it fails where something is there
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = renameOver(dir, part, try) // no such thing as a link on this file system
		}
		if err == nil {
			return try, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%q and %d more of that name: %w", name, maxNumber-1, fs.ErrExist)
}

// renameOver reserves a name with an empty file and puts part in its place.
func renameOver(dir *os.Root, part, name string) error {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	ours, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if now, err := dir.Lstat(name); err != nil || !os.SameFile(ours, now) || now.Size() != 0 {
		return fs.ErrExist // somebody was quicker
	}
	return dir.Rename(part, name)
}

func noteUnfinished(scratch, path string) error {
	f, err := os.OpenFile(filepath.Join(scratch, unfinishedName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(path + "\n")
	return errors.Join(err, f.Sync(), f.Close())
}

// RemoveUnfinished removes what a browser with this scratch folder had not put
// into its place when it ended.
func RemoveUnfinished(scratch string) error {
	b, err := os.ReadFile(filepath.Join(scratch, unfinishedName))
	if err != nil {
		return nil // it never put anything anywhere
	}
	var errs []error
	for path := range strings.Lines(string(b)) {
		path = strings.TrimSuffix(path, "\n")
		name := filepath.Base(path)
		if !filepath.IsAbs(path) || !strings.HasPrefix(name, PartPrefix) || !strings.HasSuffix(name, partSuffix) {
			continue // a line that was cut short
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// OpenFolder opens the folder at path, which has to lie in one of roots or be one.
// Links that lead out of a root are not followed. The folder is made where it
// does not exist. The caller closes it.
func OpenFolder(roots []string, path string) (dir *os.Root, folder string, fail *tool.Error) {
	root, rel, fail := FindRoot(roots, path)
	if fail != nil {
		return nil, "", fail
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, "", SaveError(path, err)
	}
	top, err := os.OpenRoot(root)
	if err != nil {
		return nil, "", SaveError(path, err)
	}
	defer top.Close()
	if err := top.MkdirAll(rel, 0o755); err != nil {
		return nil, "", SaveError(path, err)
	}
	if dir, err = top.OpenRoot(rel); err != nil {
		return nil, "", SaveError(path, err)
	}
	return dir, filepath.Join(root, rel), nil
}

// FindRoot finds the granted folder that a path lies in.
func FindRoot(roots []string, path string) (root, rel string, fail *tool.Error) {
	if filepath.IsAbs(path) && !strings.ContainsAny(path, "\x00\n") {
		path = filepath.Clean(path)
		for _, r := range roots {
			inside, err := filepath.Rel(r, path)
			if err == nil && (inside == "." || filepath.IsLocal(inside)) && len(r) > len(root) {
				root, rel = filepath.Clean(r), inside
			}
		}
	}
	if root == "" {
		return "", "", tool.Errorf(tool.PolicyDenied, "path_outside_roots", "%q is outside of the granted folders: %s",
			address.Clip(path), strings.Join(roots, ", ")).WithHint("add its folder to roots in [files] of errand.toml")
	}
	return root, rel, nil
}

func SaveError(path string, err error) *tool.Error {
	return tool.Errorf(tool.ExecutionError, "file_not_saved", "save into %s: %v", path, err).
		WithHint("make the folder writable, or free some space")
}

// reader is a reader that ends with ctx.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func NewReader(ctx context.Context, r io.Reader) io.Reader { return reader{ctx, r} }

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
