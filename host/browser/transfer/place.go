package transfer

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"errand/host/browser/address"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// A file is first written into the granted folder under a temporary name, so that one
// rename makes it complete and visible. Its path is noted in the scratch folder
// beforehand, so that a sweep finds it.
const (
	unfinishedName = "unfinished"
	PartPrefix     = ".errand-"
	partSuffix     = ".part"
)

// maxNumber is the largest number in a file name: "name (1000).ext".
const maxNumber = 1000

// Destination is the destination of a file: an open granted folder and a name.
type Destination struct {
	Dir    *os.Root
	Folder string
	Name   string // "": use the suggested name
	Call   string // mark that identifies the call; "": no mark
}

// PlacedFile is a file at its destination.
type PlacedFile struct {
	Path   string
	Size   int64
	SHA256 string
}

// Place copies the file at from to its destination, with its name or the first free
// numbered one. It never overwrites a file. note is the scratch folder. Place returns soon
// after ctx is done.
func Place(ctx context.Context, from string, to Destination, origin, note string) (PlacedFile, error) {
	dir, folder := to.Dir, to.Folder
	in, err := os.Open(from)
	if err != nil {
		return PlacedFile{}, err
	}
	defer in.Close()
	part := PartPrefix + strings.ToLower(rand.Text()) + partSuffix
	if err := noteUnfinished(note, filepath.Join(folder, part)); err != nil {
		return PlacedFile{}, err
	}
	out, err := dir.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return PlacedFile{}, err
	}
	defer dir.Remove(part) // the final name remains
	h := sha256.New()
	size, err := io.Copy(io.MultiWriter(out, h), tool.NewReader(ctx, in))
	if err == nil {
		mark(out, OriginMark, origin)
		if to.Call != "" { // mark it first: a file with its final name then has the mark
			mark(out, KeyMark, to.Call)
		}
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return PlacedFile{}, err
	}
	name, err := claimName(dir, part, to.Name)
	if err != nil {
		return PlacedFile{}, err
	}
	return PlacedFile{filepath.Join(folder, name), size, hex.EncodeToString(h.Sum(nil))}, nil
}

// claimName gives the temporary file the first free name.
func claimName(dir *os.Root, part, name string) (string, error) {
	for i := 1; i <= maxNumber; i++ {
		try := name
		if i > 1 {
			try = addNumber(name, i)
		}
		err := dir.Link(part, try) // unlike a rename, it fails if the name exists
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = renameOver(dir, part, try) // the file system has no hard links
		}
		if err == nil {
			return try, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", message.Error("browser.names_taken", "name", name, "count", maxNumber-1, "cause", fs.ErrExist)
}

// renameOver reserves a name with an empty file and replaces it with part.
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
		return fs.ErrExist // another program was faster
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

// RemoveUnfinished removes the temporary files of a browser with this scratch folder that
// has ended.
func RemoveUnfinished(scratch string) error {
	b, err := os.ReadFile(filepath.Join(scratch, unfinishedName))
	if err != nil {
		return nil // it has placed no files
	}
	var errs []error
	for path := range strings.Lines(string(b)) {
		path = strings.TrimSuffix(path, "\n")
		name := filepath.Base(path)
		if !filepath.IsAbs(path) || !strings.HasPrefix(name, PartPrefix) || !strings.HasSuffix(name, partSuffix) {
			continue // an incomplete line
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// OpenFolder opens the folder at path for a call, where policy decided about it, and creates
// it if necessary. It must be one of roots or inside one, and follows no link that has
// appeared since. The caller closes it.
func OpenFolder(roots []string, call tool.Call, path string) (dir *os.Root, folder string, fail *tool.Error) {
	root, rel, fail := FindRoot(roots, path)
	if fail != nil {
		return nil, "", fail
	}
	real, err := findReal(call, root, path)
	if err == nil {
		dir, err = realpath.Make(roots, real, 0o755)
	}
	if err != nil {
		return nil, "", SaveError(path, err)
	}
	return dir, filepath.Join(root, rel), nil
}

// FindFolder is [OpenFolder], but creates nothing. The error of a missing folder is
// [fs.ErrNotExist].
func FindFolder(roots []string, call tool.Call, path string) (*os.Root, error) {
	root, _, fail := FindRoot(roots, path)
	if fail != nil {
		return nil, fail
	}
	real, err := findReal(call, root, path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(root); err != nil {
		return nil, err
	}
	return realpath.Open(roots, real)
}

// findReal returns where a path of a call leads. Out of the granted folder is an error.
func findReal(call tool.Call, root, path string) (string, error) {
	real, ok := realpath.RealIn(call, path)
	if !ok {
		return "", realpath.ErrLink
	}
	top, _ := realpath.Resolve(root)
	if rel, err := filepath.Rel(top, real); err != nil || !filepath.IsLocal(rel) {
		return "", message.Error("browser.link_leads_out", "path", path, "root", root)
	}
	return real, nil
}

// FindRoot returns the granted folder that contains a path.
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
		return "", "", tool.NewError(tool.PolicyDenied, tool.CodeOutsideRoots, message.New("browser.path_outside_roots", "path", address.Clip(path), "roots", roots)).WithHint(realpath.GrantHint(path))
	}
	return root, rel, nil
}

func SaveError(path string, err error) *tool.Error {
	return tool.NewError(tool.ExecutionError, "file_not_saved", message.New("browser.file_not_saved", "path", path, "cause", err)).
		WithHint(message.New("browser.make_writable"))
}

func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
