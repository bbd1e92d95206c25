//go:build wasip1

package main

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"errand/plugins/guest"
)

type deleteFolderArgs struct {
	Path      string `json:"path"`
	Recursive bool   `json:"recursive"`
}

// deleteFolder deletes a folder; one that holds something only where that is
// asked for. One that is not there is fine. A link is never followed.
func deleteFolder(a deleteFolderArgs) (guest.Answer, error) {
	p, err := place(a.Path)
	if err != nil {
		return guest.Answer{}, err
	}
	switch info, err := os.Lstat(p); {
	case errors.Is(err, fs.ErrNotExist):
		return gone(p, false), nil
	case err != nil:
		return guest.Answer{}, refused("look at", p, err)
	case !info.IsDir():
		return guest.Answer{}, guest.Fail("not_a_folder", "delete it as a file", "%s is not a folder", p)
	}
	entries, err := os.ReadDir(p)
	if err != nil {
		return guest.Answer{}, refused("look into", p, err)
	}
	if len(entries) > 0 && !a.Recursive {
		return guest.Answer{}, guest.Fail("folder_not_empty", "delete what is in it first, or write a plan that calls files.delete_folder with recursive = true",
			"%s is not empty: it holds %d entries", p, len(entries))
	}
	if err := os.RemoveAll(p); err != nil {
		return guest.Answer{}, refused("delete", p, err)
	}
	return gone(p, true), nil
}

type deleteFileArgs struct {
	Path string `json:"path"`
}

// deleteFile deletes a file or a link. One that is not there is fine.
func deleteFile(a deleteFileArgs) (guest.Answer, error) {
	p, err := place(a.Path)
	if err != nil {
		return guest.Answer{}, err
	}
	switch info, err := os.Lstat(p); {
	case errors.Is(err, fs.ErrNotExist):
		return gone(p, false), nil
	case err != nil:
		return guest.Answer{}, refused("look at", p, err)
	case info.IsDir():
		return guest.Answer{}, guest.Fail("not_a_file", "delete it as a folder", "%s is a folder", p)
	}
	if err := os.Remove(p); err != nil {
		return guest.Answer{}, refused("delete", p, err)
	}
	return gone(p, true), nil
}

// place is the path cleaned, where it lies inside a granted folder. The folder
// itself is not for plugins to make or delete.
func place(p string) (string, error) {
	clean := path.Clean(p)
	if !path.IsAbs(p) || strings.Count(clean, "/") < 3 || !strings.HasPrefix(clean, "/root/") {
		return "", &guest.Error{
			Class: "validation_error", Code: "bad_path", Recoverable: true,
			Message: "the path \"" + p + "\" does not lead to something inside a granted folder",
			Hint:    "give the whole path of something inside one",
		}
	}
	return clean, nil
}

// refused says what the system did not allow.
func refused(verb, p string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return guest.Fail("not_permitted", "choose a place that is granted and writable", "can't %s %s: it is not permitted, or it leads out of the granted folder", verb, p)
	case errors.Is(err, fs.ErrNotExist):
		return guest.Fail("no_folder", "create the folder first", "can't %s %s: the folder it is in does not exist", verb, p)
	}
	return guest.Fail("failed", "", "can't %s %s: %v", verb, p, err)
}
