package tool

import (
	"errors"
	"io/fs"
	"syscall"

	"errand/planner/message"
)

// FileFault describes an error about a file or folder for users: the path and the cause,
// without the name of the system call. It returns [message.FromError] for other errors.
func FileFault(err error) message.Message {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return message.FromError(err)
	}
	for _, known := range fileFaults {
		if errors.Is(err, known.cause) {
			return message.New(known.code, "path", at.Path)
		}
	}
	return message.New("file_fault.other", "path", at.Path, "cause", at.Err)
}

var fileFaults = [...]struct {
	cause error
	code  string
}{
	{fs.ErrNotExist, "file_fault.missing"},
	{fs.ErrPermission, "file_fault.permission_denied"},
	{syscall.ELOOP, "file_fault.link_loop"},
	{syscall.ENOTDIR, "file_fault.not_a_folder"},
	{syscall.EISDIR, "file_fault.not_a_file"},
}
