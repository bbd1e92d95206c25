package rootfs

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/experimental/sys"
)

// Access says what a call may change in a folder. The zero value permits nothing. A
// read-only folder permits nothing, whatever its access says.
type Access struct {
	// FullAccess permits changes of everything in the folder.
	FullAccess bool
	// Paths permits changes of these files and folders, and of everything in the
	// folders. They are relative to the folder, with slashes; "." is the folder. One
	// that does not exist yet may be created, with the folders above it.
	Paths []string
	// Itself permits changes of these files and folders, and of nothing in the folders.
	Itself []string
	// Places are where names lead that the call names. They are not resolved again.
	Places []Place
}

// access is an Access whose paths are resolved.
type access struct {
	fullAccess bool
	noAccess   bool
	// paths are the permitted places without links, and the links themselves.
	paths []string
	// itself are those of Itself.
	itself []string
	// createdFolders are the folders above paths that this call has created. It may remove
	// them again.
	createdFolders map[string]bool
	places         []Place
	call           int // number of the call
	// hasEffect reports whether the call renamed, removed or created something.
	hasEffect bool
}

// Place is where a name leads that a call names, as policy decided about it. All three are
// relative to the folder, with slashes.
type Place struct {
	Name  string
	Real  string // without links; "" if it leads out of the folder or nowhere
	Entry string // without links, but for its last part; "" like Real
	// Bind is called with the opened file before the plugin gets it. It returns nil if the
	// file is not the one that the user approved, and otherwise a function that reports
	// whether it is still the same. Bind is nil for what needed no approval.
	Bind func(f *os.File) (isSame func() bool)
}

// bound returns the place with a Bind that an entry is, or nil.
func (a *access) bound(at entry) *Place {
	for i := range a.places {
		if p := &a.places[i]; p.Bind != nil && p.Real != "" && p.Real == at.real {
			return p
		}
	}
	return nil
}

// bind checks an opened file if the call is bound to its state. A file that is opened
// for writing is bound no longer: the plugin itself changes it.
func (f *FS) bind(at entry, opened *openFile) sys.Errno {
	p := f.access.bound(at)
	if p == nil {
		return 0
	}
	isSame := p.Bind(opened.file)
	if isSame == nil {
		return f.changedSince(opened.name)
	}
	if opened.flag&(writeFlags|sys.O_RDWR) != 0 {
		p.Bind = nil
	} else {
		opened.isSame = isSame
	}
	return 0
}

// checkBound checks an entry before the plugin truncates, removes or replaces it.
func (f *FS) checkBound(at entry, name string) sys.Errno {
	p := f.access.bound(at)
	if p == nil {
		return 0
	}
	file, err := at.open(sys.O_RDONLY)
	if err != nil {
		return errno(err)
	}
	defer file.Close()
	if p.Bind(file) == nil {
		return f.changedSince(name)
	}
	p.Bind = nil
	return 0
}

// changedSince reports a file that is not as the user approved it.
func (f *FS) changedSince(name string) sys.Errno {
	if f.account.Changed != nil {
		f.account.Changed(f, name)
	}
	return sys.EIO
}

// HasEffect reports whether the running call has changed anything in the folder.
func (f *FS) HasEffect() bool { return f.access.hasEffect || f.quota.writtenBytes > 0 }

// SetAccess begins a call, which may change only what a permits. A file that an
// earlier call opened for writing stays open. It can be written to only if a permits
// everything.
func (f *FS) SetAccess(a Access) {
	f.access = access{fullAccess: a.FullAccess, noAccess: !a.FullAccess && len(a.Paths)+len(a.Itself) == 0, places: slices.Clone(a.Places), call: f.access.call + 1}
	f.access.paths, f.access.itself = f.resolveAll(a.Paths), f.resolveAll(a.Itself)
}

// resolveAll returns the places that paths lead to. A link may be removed or replaced itself.
func (f *FS) resolveAll(paths []string) (all []string) {
	for _, p := range paths {
		for _, follow := range []bool{true, false} {
			if real, e := f.resolve(path.Clean(p), follow); e == 0 {
				all = append(all, real)
			}
		}
	}
	return all
}

// isReadOnly reports whether nothing may be changed.
func (f *FS) isReadOnly() bool {
	return f.readOnly || f.access.noAccess
}

// checkChange returns 0 if the call may change an entry, which is then open. name is its
// name for the plugin.
func (f *FS) checkChange(at entry, name string) sys.Errno {
	e := f.mayChange(at)
	if e == sys.EACCES {
		f.account.noteOutside(f, name)
	}
	if e == 0 {
		return errno(at.err)
	}
	return e
}

func (f *FS) mayChange(at entry) sys.Errno {
	switch {
	case f.isReadOnly():
		return sys.EROFS
	case f.access.fullAccess:
		return 0
	case at.real == "":
		return errno(at.err)
	}
	if slices.Contains(f.access.itself, at.real) || f.access.covers(at.real) {
		return 0
	}
	return sys.EACCES
}

// checkMove is [FS.checkChange] for an entry that is moved, or the place that it is moved to.
// A folder takes with it what is in it, so that its permission has to cover that.
func (f *FS) checkMove(at entry, name string, folder bool) sys.Errno {
	if e := f.checkChange(at, name); e != 0 || !folder || f.access.fullAccess || f.access.covers(at.real) {
		return e
	}
	f.account.noteOutside(f, name)
	return sys.EACCES
}

// covers reports whether the call may change a path with everything below it.
func (a *access) covers(real string) bool {
	return slices.ContainsFunc(a.paths, func(p string) bool { return p == "." || real == p || strings.HasPrefix(real, p+"/") })
}

// checkMkdir is [FS.checkChange] for a new folder, which may also be above a
// permitted path.
func (f *FS) checkMkdir(at entry, name string) sys.Errno {
	if !f.isReadOnly() && f.access.isAbove(at.real) {
		return errno(at.err)
	}
	return f.checkChange(at, name)
}

// madeFolder notes a folder that the call has created.
func (f *FS) madeFolder(at entry) {
	if f.access.isAbove(at.real) {
		if f.access.createdFolders == nil {
			f.access.createdFolders = map[string]bool{}
		}
		f.access.createdFolders[at.real] = true
	}
}

// checkRmdir is [FS.checkChange] for the removal of a folder, which may also be one
// that the call has created.
func (f *FS) checkRmdir(at entry, name string) sys.Errno {
	if f.access.createdFolders[at.real] {
		return errno(at.err)
	}
	return f.checkChange(at, name)
}

// isAbove reports whether a path is above a permitted one.
func (a *access) isAbove(real string) bool {
	isBelow := func(p string) bool { return strings.HasPrefix(p, real+"/") }
	return slices.ContainsFunc(a.paths, isBelow) || slices.ContainsFunc(a.itself, isBelow)
}

// placeOf returns the innermost place that is a cleaned name or a folder above it.
func (a *access) placeOf(name string) (best Place, ok bool) {
	for _, p := range a.places {
		if (name == p.Name || strings.HasPrefix(name, p.Name+"/")) && (!ok || len(p.Name) > len(best.Name)) {
			best, ok = p, true
		}
	}
	return best, ok
}

// mayWrite reports whether the running call may write to a file that was opened for
// writing.
func (f *openFile) mayWrite() bool {
	return !f.fs.isReadOnly() && (f.fs.access.fullAccess || f.call == f.fs.access.call)
}

// maxLinks is how many links a path may lead through.
const maxLinks = 40

// resolve returns the path without links that a path leads to. Its last part may be a
// link if follow is false. Parts that don't exist are kept. A link out of the folder
// is an error. Where policy has decided about a name, its place counts.
func (f *FS) resolve(name string, follow bool) (string, sys.Errno) {
	rest := strings.Split(name, "/")
	real := "."
	if p, ok := f.access.placeOf(name); ok {
		inside := strings.TrimPrefix(strings.TrimPrefix(name, p.Name), "/")
		real, rest = p.Real, strings.Split(inside, "/")
		if inside == "" {
			rest = nil
			if !follow {
				real = p.Entry
			}
		}
		if real == "" {
			return "", sys.EPERM
		}
	}
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if real == "." {
				return "", sys.EPERM
			}
			real = path.Dir(real)
			continue
		}
		next := path.Join(real, part)
		target, err := f.root.Readlink(next)
		if err != nil || len(rest) == 0 && !follow { // not a link, or nothing there
			real = next
			continue
		}
		if links++; links > maxLinks {
			return "", sys.ELOOP
		}
		if path.IsAbs(target) {
			return "", sys.EPERM
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return real, 0
}
