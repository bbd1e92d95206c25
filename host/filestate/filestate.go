// Package filestate tells the state of the files that a call names, so that an approval can
// be bound to them.
//
// A file of at most [MaxHashed] bytes is identified by its content, a larger one by its
// inode, size, time of modification and time of the last change of its inode, which programs
// can't set. A folder that a call reads or deletes is identified by the same data of its
// entries, and a folder that a call only adds to by itself.
package filestate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"errand/host/files/inode"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// MaxHashed is the size in bytes up to which a file is identified by its content. It is more
// than one upload may have.
const MaxHashed = 128 << 20

// MaxEntries is the number of entries up to which the state of a folder is known. A call that
// depends on the state of a larger folder is refused.
const MaxEntries = 100_000

// maxEntries is [MaxEntries]. Only tests change it.
var maxEntries = MaxEntries

// CodeIncomplete is the code of the error for a folder whose state is not known as a whole,
// so that an approval can't cover it.
const CodeIncomplete = "too_much_to_look_through"

// TooManyEntries returns the error for a folder with more than limit entries.
func TooManyEntries(folder string, limit int) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodeIncomplete, message.New("filestate.too_many_entries", "path", folder, "limit", limit))
}

// Inspect returns the states of the files and folders that the paths in a call's arguments
// name. It reads only inside the folders of the tool's spec. A missing file is a state, and a
// file that can't be read is identified as a large one. The errors are that ctx ended and
// [CodeIncomplete].
func Inspect(ctx context.Context, spec tool.Spec, call tool.Call) ([]tool.FileState, *tool.Error) {
	var states []tool.FileState
	for _, n := range spec.PathArgs(call.Args) {
		if slices.ContainsFunc(states, func(s tool.FileState) bool { return s.Path == n.Path }) {
			continue
		}
		addsOnly := spec.Reversible && !spec.MayDestroy && slices.Contains(spec.Writes, n.Argument)
		state, complete := stateOf(ctx, spec.Folders(), n.Path, !addsOnly)
		if err := ctx.Err(); err != nil {
			return nil, tool.AsError(err)
		}
		if !complete {
			return nil, TooManyEntries(n.Path, maxEntries)
		}
		states = append(states, state)
	}
	return states, nil
}

// Locate returns where the paths in a call's arguments lead, so that policy decides about
// the files that the call uses, and the call uses those that policy decided about. It opens
// nothing.
func Locate(spec tool.Spec, call tool.Call) []tool.Place {
	var places []tool.Place
	for _, n := range spec.PathArgs(call.Args) {
		if !slices.ContainsFunc(places, func(p tool.Place) bool { return p.Path == n.Path }) {
			places = append(places, realpath.Locate(n.Path))
		}
	}
	return places
}

// stateOf returns the state of a path. deep also looks at the entries of a folder. complete
// is false for a folder with too many.
func stateOf(ctx context.Context, roots []string, path string, deep bool) (s tool.FileState, complete bool) {
	s = tool.FileState{Path: path, Kind: tool.FileMissing}
	info, err := os.Lstat(path)
	link := err == nil && info.Mode()&fs.ModeSymlink != 0
	if link {
		target, _ := os.Readlink(path)
		s.Mark = "link=" + strconv.Quote(target) + " ino=" + deviceAndNumber(info)
		s.Kind = tool.FileOther
	}
	real, ends := realpath.Resolve(path)
	if !ends {
		return s, true
	}
	s.Real = real
	root, rel, inside := realpath.FindRoot(roots, real)
	if !inside {
		return s, true // the tool gets nothing there
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return s, true
	}
	defer dir.Close()
	if info, err = dir.Stat(rel); err != nil {
		return s, true
	}
	switch {
	case info.IsDir():
		s.Kind = tool.FileFolder
		s.Mark += " ino=" + deviceAndNumber(info) + " born=" + inode.BirthTime(dir, rel, info) // the number of a deleted folder is used again
		if deep {
			t := tree{dir: dir, sum: sha256.New()}
			t.walk(ctx, rel)
			s.Size = int64(t.count)
			s.Mark += tool.EntriesMark + hex.EncodeToString(t.sum.Sum(nil))
			return s, !t.more
		}
	case info.Mode().IsRegular():
		s.Kind, s.Size = tool.FileRegular, info.Size()
		if s.Size <= MaxHashed {
			s.SHA256, err = HashOf(ctx, dir, rel, info)
		}
		if s.SHA256 == "" || err != nil {
			s.Mark += " " + Stamp(info)
		}
	default:
		s.Kind = tool.FileOther
		s.Mark += " " + Stamp(info)
	}
	return s, true
}

// Stamp identifies the state of a file without reading it: its inode, size, and times of
// modification and of the last change of its inode.
func Stamp(info fs.FileInfo) string {
	return "ino=" + deviceAndNumber(info) + " size=" + strconv.FormatInt(info.Size(), 10) +
		" mtime=" + strconv.FormatInt(info.ModTime().UnixNano(), 10) + " ctime=" + ChangeTime(info)
}

// ErrReplaced is the error for a file that is not the expected one any more.
var ErrReplaced = message.Error("filestate.replaced")

// HashOf returns the SHA-256, in hex, of the file in dir that info describes. Reading ends soon
// after ctx does.
func HashOf(ctx context.Context, dir *os.Root, name string, info fs.FileInfo) (string, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|realpath.NonBlock, 0) // a pipe in its place would block
	if err != nil {
		return "", err
	}
	defer f.Close()
	now, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !os.SameFile(now, info) {
		return "", ErrReplaced
	}
	h := sha256.New()
	if _, err := io.Copy(h, tool.NewReader(ctx, io.LimitReader(f, info.Size()+1))); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
