//go:build wasip1

package main

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"errand/plugins/guest"
)

// place is the path cleaned, where it lies inside a granted folder. The folder
// itself is not for plugins to make.
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
