package desktop

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/host/tool"
	"errand/planner/message"
)

// MaxUpload is the maximum size of an uploaded plugin file, in bytes.
const MaxUpload = 64 << 20

// maxUploadName is the maximum length of the name of an uploaded file, in bytes.
const maxUploadName = 200

// Codes of errors in uploads.
const (
	CodeUploadName  = "upload_bad_name"
	CodeUploadLarge = "upload_too_large"
	CodeUploadCut   = "upload_incomplete"
)

// Extensions of plugin files.
var pluginEndings = []string{".wasm", ".zip", ".tar.gz", ".tgz"}

// errTooLarge is the error for a file that is larger than [MaxUpload].
var errTooLarge = tool.NewError(tool.ValidationError, CodeUploadLarge, message.New("window.upload_too_large", "limit", MaxUpload))

// KeepUpload stores an uploaded plugin file and returns its path for [API.ProposePlugin]. It
// keeps only the newest file, until the program ends. It installs nothing.
func (l *Life) KeepUpload(name string, from io.Reader) (path string, err error) {
	base := filepath.Base(strings.ReplaceAll(name, `\`, "/"))
	if !utf8.ValidString(base) || strings.ContainsFunc(base, unicode.IsControl) || len(base) > maxUploadName {
		return "", tool.NewError(tool.ValidationError, CodeUploadName, message.New("window.upload_bad_name", "limit", maxUploadName)).WithHint(message.New("window.upload_bad_name_hint"))
	}
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
	body := &bodyReader{from: io.LimitReader(from, MaxUpload+1)}
	n, err := io.Copy(f, body)
	switch {
	case n > MaxUpload:
		return errTooLarge
	case body.err != nil:
		return tool.NewError(tool.ValidationError, CodeUploadCut, message.New("window.upload_incomplete", "size", n, "cause", body.err)).WithHint(message.New("window.upload_incomplete_hint"))
	}
	return err
}

// bodyReader remembers why a body could not be read.
type bodyReader struct {
	from io.Reader
	err  error
}

func (r *bodyReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// dropUpload deletes the stored file. The caller holds l.uploading.
func (l *Life) dropUpload() {
	if l.upload != "" {
		_ = os.RemoveAll(l.upload)
		l.upload = ""
	}
}
