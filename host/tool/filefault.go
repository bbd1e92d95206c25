package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// FileFault describes an error about a file or folder for users: the path and the cause,
// without the name of the system call.
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
