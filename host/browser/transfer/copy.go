package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

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

func CopyUpload(ctx context.Context, roots []string, path, folder string, most int64) (Upload, error) {
	in, fail := OpenFile(roots, path)
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

// OpenFile opens a regular file inside one of roots. It doesn't follow links out of the
// root.
func OpenFile(roots []string, path string) (*os.File, *tool.Error) {
	root, rel, fail := FindRoot(roots, path)
	if fail != nil {
		return nil, fail
	}
	unread := func(err error) *tool.Error {
		return tool.NewError(tool.ExecutionError, "file_not_read", message.New("browser.file_not_read", "path", path, "cause", err))
	}
	top, err := os.OpenRoot(root)
	if err != nil {
		return nil, unread(err)
	}
	defer top.Close()
	info, err := top.Stat(rel)
	if err != nil {
		return nil, unread(err)
	}
	if !info.Mode().IsRegular() { // opening a pipe would block
		return nil, tool.NewError(tool.ValidationError, "not_a_file", message.New("browser.not_a_file", "path", path))
	}
	f, err := top.OpenFile(rel, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, unread(err)
	}
	if now, err := f.Stat(); err != nil || !os.SameFile(info, now) {
		f.Close()
		return nil, unread(message.Error("browser.file_changed"))
	}
	return f, nil
}

// MaxUploadBytes is the maximum size of all files of one call.
const MaxUploadBytes = 100_000_000
