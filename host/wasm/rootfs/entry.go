package rootfs

import (
	"io/fs"
	"os"
	"path"

	"github.com/tetratelabs/wazero/experimental/sys"

	"errand/host/realpath"
)

// entry is what a name means in the running call. If the call is limited to places, its
// folder is open, and no link is followed any more.
type entry struct {
	dir     *os.Root // the folder of a limited entry, else the mounted folder
	name    string   // in dir
	real    string   // in the mounted folder, without links if it is limited; "" if it leads nowhere
	limited bool
	err     error // why dir is not open
}

// isLimited reports whether the call is limited to places as far as a cleaned name is
// concerned: policy decided about it, or it is changed and the call may change only some paths.
func (f *FS) isLimited(name string, change bool) bool {
	_, decided := f.access.placeOf(name)
	return decided || change && !f.isReadOnly() && !f.access.fullAccess
}

// find returns the entry of a cleaned name. follow says whether it means the target of a
// link. The caller closes it.
func (f *FS) find(name string, follow, limited bool) entry {
	if !limited {
		return entry{dir: f.root, name: name, real: name}
	}
	real, e := f.resolve(name, follow)
	if e != 0 {
		return entry{limited: true, err: e}
	}
	at := entry{name: path.Base(real), real: real, limited: true}
	at.dir, at.err = realpath.OpenFolder(f.root, path.Dir(real))
	return at
}

func (at entry) close() {
	if at.limited && at.dir != nil {
		at.dir.Close()
	}
}

// info returns the info of an entry. follow is that of [FS.find].
func (at entry) info(follow bool) (fs.FileInfo, error) {
	switch {
	case at.err != nil:
		return nil, at.err
	case follow && !at.limited:
		return at.dir.Stat(at.name)
	}
	info, err := at.dir.Lstat(at.name)
	if follow && err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, realpath.ErrLink // it has just appeared
	}
	return info, err
}

func (at entry) open(flag sys.Oflag) (*os.File, error) {
	switch {
	case at.err != nil:
		return nil, at.err
	case at.limited:
		return realpath.OpenFile(at.dir, at.name, osFlags(flag), filePerm)
	}
	return at.dir.OpenFile(at.name, osFlags(flag), filePerm)
}
