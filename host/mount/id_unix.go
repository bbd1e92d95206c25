//go:build unix && !linux

package mount

import (
	"io/fs"
	"os"
	"syscall"
)

// Of returns the mount of an open file or folder. Here a file system is mounted once, so its
// number is enough.
func Of(f *os.File) (ID, error) { return idOf(f.Stat()) }

// At is [Of] for a path. It follows links.
func At(path string) (ID, error) { return idOf(os.Stat(path)) }

func idOf(info fs.FileInfo, err error) (ID, error) {
	if err != nil {
		return ID{}, err
	}
	st, _ := info.Sys().(*syscall.Stat_t)
	if st == nil {
		return ID{}, nil
	}
	return ID{device: uint64(st.Dev)}, nil
}
