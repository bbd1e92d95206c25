//go:build wasip1

package main

import (
	"errors"
	"io/fs"
	"os"

	"errand/plugins/guest"
)

// createdFolder answers whether a folder is there. Whether it was that call
// that made it can't be told, so there is nothing to take back.
func createdFolder(a folderArgs) (guest.Answer, error) {
	p, err := place(a.Path)
	if err != nil {
		return guest.Answer{}, err
	}
	switch info, err := os.Stat(p); {
	case absent(err), err == nil && !info.IsDir():
		return guest.Answer{State: guest.Released}, nil
	case err != nil:
		return guest.Answer{State: guest.Unknown}, nil
	}
	return found(p), nil
}

// createdFile answers whether a file is there and holds what the call would have
// written: another content may be half of it, or somebody else's.
func createdFile(a fileArgs) (guest.Answer, error) {
	p, err := place(a.Path)
	if err != nil {
		return guest.Answer{}, err
	}
	switch info, err := os.Stat(p); {
	case absent(err), err == nil && info.IsDir():
		return guest.Answer{State: guest.Released}, nil
	case err != nil, a.Content != nil && !holds(p, info, *a.Content):
		return guest.Answer{State: guest.Unknown}, nil
	}
	return found(p), nil
}

func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func found(p string) guest.Answer {
	return guest.Answer{State: guest.Committed, Payload: created{p, true}, Facts: []string{"exists:" + p}}
}
