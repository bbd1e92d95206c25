package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// Upload is a file that a page may read.
type Upload struct {
	Path   string // the path of the copy
	Name   string
	Size   int64
	SHA256 string
}

// CopyUpload copies a file of at most most bytes inside one of roots to a new folder in
// folder. The copy is what the page gets, and its SHA256 that of the bytes that were read.
func CopyUpload(ctx context.Context, roots []string, call tool.Call, path, folder string, most int64) (Upload, error) {
	in, fail := OpenFile(roots, call, path)
	if fail != nil {
		return Upload{}, fail
	}
	defer in.Close()
	own, err := os.MkdirTemp(folder, "")
	if err != nil {
		return Upload{}, err
	}
	f := Upload{Name: filepath.Base(path)}
	f.Path = filepath.Join(own, f.Name)
	out, err := os.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Upload{}, err
	}
	h := sha256.New()
	f.Size, err = io.Copy(io.MultiWriter(out, h), io.LimitReader(tool.NewReader(ctx, in), most+1))
	if err = errors.Join(err, out.Close()); err != nil {
		return Upload{}, err
	}
	if f.Size > most {
		return Upload{}, tool.NewError(tool.ValidationError, "upload_too_large", message.New("browser.upload_too_large", "path", path, "limit", MaxUploadBytes))
	}
	f.SHA256 = hex.EncodeToString(h.Sum(nil))
	return f, nil
}

// OpenFile opens a regular file inside one of roots for a call, where policy decided about
// it. It follows no link that has appeared since.
func OpenFile(roots []string, call tool.Call, path string) (*os.File, *tool.Error) {
	root, _, fail := FindRoot(roots, path)
	if fail != nil {
		return nil, fail
	}
	f, err := openReal(roots, call, root, path)
	var typed *tool.Error
	switch {
	case errors.As(err, &typed):
		return nil, typed
	case errors.Is(err, realpath.ErrLink):
		err = message.Error("browser.file_changed")
	}
	if err != nil {
		return nil, tool.NewError(tool.ExecutionError, "file_not_read", message.New("browser.file_not_read", "path", path, "cause", err))
	}
	return f, nil
}

func openReal(roots []string, call tool.Call, root, path string) (*os.File, error) {
	real, err := findReal(call, root, path)
	if err != nil {
		return nil, err
	}
	notFile := tool.NewError(tool.ValidationError, "not_a_file", message.New("browser.not_a_file", "path", path))
	if _, rel, _ := realpath.Outermost(roots, real); rel == "." {
		return nil, notFile
	}
	dir, err := realpath.Open(roots, filepath.Dir(real))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	name := filepath.Base(real)
	info, err := dir.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, realpath.ErrLink
	case !info.Mode().IsRegular(): // opening a pipe would block
		return nil, notFile
	}
	f, err := realpath.OpenFile(dir, name, os.O_RDONLY|realpath.NonBlock, 0)
	if err != nil {
		return nil, err
	}
	if now, err := f.Stat(); err != nil || !os.SameFile(info, now) {
		f.Close()
		return nil, realpath.ErrLink
	}
	return f, nil
}

// MaxUploadBytes is the maximum size of all files of one call.
const MaxUploadBytes = 100_000_000
