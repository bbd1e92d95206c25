//go:build wasip1

package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"

	"errand/plugins/guest"
)

type folderArgs struct {
	Path string `json:"path"`
}

// createFolder makes a folder and those above it that are missing. One that is
// there already is fine. Undoing it takes away the folder and not those above.
func createFolder(a folderArgs) (guest.Answer, error) {
	p, err := place(a.Path)
	if err != nil {
		return guest.Answer{}, err
	}
	switch info, err := os.Stat(p); {
	case err == nil && info.IsDir():
		return made(p, nil), nil
	case err == nil:
		return guest.Answer{}, guest.Fail("file_in_the_way", "choose another name, or delete the file first", "%s is a file", p)
	case !errors.Is(err, fs.ErrNotExist):
		return guest.Answer{}, refused("look at", p, err)
	}
	if err := os.MkdirAll(path.Dir(p), 0o777); err != nil {
		return guest.Answer{}, refused("create", p, err)
	}
	switch err := os.Mkdir(p, 0o777); {
	case errors.Is(err, fs.ErrExist): // since a moment ago, or a link that leads nowhere
		if info, err := os.Lstat(p); err == nil && !info.IsDir() {
			return guest.Answer{}, guest.Fail("file_in_the_way", "choose another name, or delete the file first", "%s is a file or a link", p)
		}
		return made(p, nil), nil
	case err != nil:
		return guest.Answer{}, refused("create", p, err)
	}
	info, err := os.Lstat(p)
	if err != nil {
		return guest.Answer{}, refused("look at", p, err)
	}
	return made(p, undoFolder(p, info)), nil
}

type fileArgs struct {
	Path    string  `json:"path"`
	Content *string `json:"content"`
}

// createFile makes a file and never writes over one. A file that is there
// already with the same content, or where none was asked for, is fine.
func createFile(a fileArgs) (guest.Answer, error) {
	p, err := place(a.Path)
	if err != nil {
		return guest.Answer{}, err
	}
	f, err := os.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return present(p, a.Content)
	case errors.Is(err, fs.ErrNotExist):
		return guest.Answer{}, guest.Fail("no_folder", "create the folder first", "the folder %s does not exist", path.Dir(p))
	case err != nil:
		return guest.Answer{}, refused("create", p, err)
	}
	content := ""
	if a.Content != nil {
		content = *a.Content
	}
	_, err = f.WriteString(content)
	info, err2 := f.Stat()
	if err = errors.Join(err, err2, f.Close()); err != nil {
		os.Remove(p) // half a file is worse than none
		return guest.Answer{}, refused("write", p, err)
	}
	return made(p, undoFile(p, info, content)), nil
}

// present answers for a path where something is already.
func present(p string, content *string) (guest.Answer, error) {
	info, err := os.Stat(p)
	switch {
	case err != nil:
		return guest.Answer{}, refused("look at", p, err)
	case info.IsDir():
		return guest.Answer{}, guest.Fail("folder_in_the_way", "choose another name", "%s is a folder", p)
	case content == nil || holds(p, info, *content):
		return made(p, nil), nil
	}
	return guest.Answer{}, guest.Fail("file_exists", "choose another name, or delete the file first",
		"%s exists already and holds something else; it was not changed", p)
}

// holds reports whether a file's content is exactly the given one.
func holds(p string, info fs.FileInfo, content string) bool {
	if info.Size() != int64(len(content)) {
		return false
	}
	f, err := os.Open(p)
	if err != nil {
		return false
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	return err == nil && bytes.Equal(b, []byte(content))
}
