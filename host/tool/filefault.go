package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// FileFault says in a person's words what is wrong with a file or folder: its
// path and why, without the system call's name.
func FileFault(err error) string {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return err.Error()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return at.Path + " is not there"
	case errors.Is(err, fs.ErrPermission):
		return at.Path + " may not be opened by you"
	case errors.Is(err, syscall.ELOOP):
		return at.Path + " is a link that leads back to itself"
	case errors.Is(err, syscall.ENOTDIR):
		return at.Path + " is a file, or leads through one, where a folder is needed"
	case errors.Is(err, syscall.EISDIR):
		return at.Path + " is a folder, where a file is needed"
	}
	return fmt.Sprintf("%s: %v", at.Path, at.Err)
}
