package browser

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"errand/host/tool"
)

// uploaded is a file as a page gets it.
type uploaded struct {
	path   string // of our copy
	name   string
	size   int64
	sha256 string
}

func copied(ctx context.Context, roots []string, path, folder string, most int64) (uploaded, error) {
	in, fail := openGranted(roots, path)
	if fail != nil {
		return uploaded{}, fail
	}
	defer in.Close()
	own, err := os.MkdirTemp(folder, "")
	if err != nil {
		return uploaded{}, err
	}
	f := uploaded{name: filepath.Base(path)}
	f.path = filepath.Join(own, f.name)
	out, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return uploaded{}, err
	}
	h := sha256.New()
	f.size, err = io.Copy(io.MultiWriter(out, h), io.LimitReader(newReader(ctx, in), most+1))
	if err = errors.Join(err, out.Close()); err != nil {
		return uploaded{}, err
	}
	if f.size > most {
		return uploaded{}, tool.Errorf(tool.ValidationError, "upload_too_large", "%s: more than %s at once", path, byteSize(maxUploadBytes))
	}
	f.sha256 = hex.EncodeToString(h.Sum(nil))
	return f, nil
}

// openGranted opens a file that lies in one of roots, and no link that leads out
// of it. What is no ordinary file is refused.
func openGranted(roots []string, path string) (*os.File, *tool.Error) {
	root, rel, fail := inRoots(roots, path)
	if fail != nil {
		return nil, fail
	}
	unread := func(err error) *tool.Error {
		return tool.Errorf(tool.ExecutionError, "file_not_read", "read %s: %v", path, err)
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
	if !info.Mode().IsRegular() { // a pipe would wait for its other end
		return nil, tool.Errorf(tool.ValidationError, "not_a_file", "%s is no ordinary file", path)
	}
	f, err := top.OpenFile(rel, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, unread(err)
	}
	if now, err := f.Stat(); err != nil || !os.SameFile(info, now) {
		f.Close()
		return nil, unread(errors.New("it changed while it was looked at"))
	}
	return f, nil
}

// maxUploadBytes bounds all files of one call.
const maxUploadBytes = 100_000_000
