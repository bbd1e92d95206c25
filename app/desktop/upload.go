package desktop

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
)

// MaxUpload bounds a plugin that is handed over, in bytes: as large as an archive
// of a plugin may be.
const MaxUpload = 64 << 20

// Endings of a plugin's file.
var pluginEndings = []string{".wasm", ".zip", ".tar.gz", ".tgz"}

// errTooLarge refuses what is larger than a plugin may be.
var errTooLarge = tool.NewError(tool.ValidationError, "upload_too_large", message.New("window.upload_too_large", "limit", MaxUpload))

// KeepUpload keeps a plugin's file that a page has read where its person is, and
// answers where it lies, so that [API.ProposePlugin] can look at it. One is kept,
// the newest, until the program ends. Nothing is installed.
func (l *Life) KeepUpload(name string, from io.Reader) (path string, err error) {
	base := filepath.Base(strings.ReplaceAll(name, `\`, "/"))
	if !slices.ContainsFunc(pluginEndings, func(e string) bool { return strings.HasSuffix(base, e) && len(base) > len(e) }) || strings.HasPrefix(base, ".") {
		return "", tool.NewError(tool.ValidationError, "upload_no_plugin", message.New("window.upload_no_plugin", "name", base)).WithHint(message.New("window.upload_no_plugin_hint", "endings", pluginEndings))
	}
	l.uploading.Lock()
	defer l.uploading.Unlock()
	l.dropUpload()
	cache := l.Private()
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	if l.upload, err = os.MkdirTemp(cache, "upload-"); err != nil { // 0700
		return "", err
	}
	path = filepath.Join(l.upload, base)
	if err := writeUpload(path, from); err != nil {
		l.dropUpload()
		return "", err
	}
	return path, nil
}

func writeUpload(path string, from io.Reader) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	n, err := io.Copy(f, io.LimitReader(from, MaxUpload+1))
	switch {
	case n > MaxUpload:
		return errTooLarge
	case err != nil:
		return message.Error("window.read_file", "cause", err)
	}
	return nil
}

// dropUpload removes what was kept. The caller holds l.uploading.
func (l *Life) dropUpload() {
	if l.upload != "" {
		_ = os.RemoveAll(l.upload)
		l.upload = ""
	}
}
