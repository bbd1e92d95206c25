package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"errand/host/files/inode"
	"errand/host/filestate"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// Limits of the forecast of a huge folder: number of entries and time. Only tests
// change them.
var (
	maxCounted  = filestate.MaxEntries
	maxCounting = 3 * time.Second
)

// Forecast implements [tool.Forecaster]. A problem that an earlier action of the
// plan may still solve, such as a folder that is not empty, is a note, not an
// error.
func (d *deleter) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	a, s, err := d.openArgs(ctx, call, d.read)
	switch {
	case errors.Is(err, errAbsent):
		if r := d.absentResult(a.path); r.Error != nil {
			return tool.Forecast{}, r.Error
		}
		return tool.Forecast{Reversible: hasTrash, Note: message.New("files.nothing_there"), Problem: notFoundError(a.path)}, nil
	case err != nil:
		return tool.Forecast{}, err
	}
	defer s.close()
	f, note := d.choose(s)
	info, err := s.lstat()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		note, f.Problem = message.New("files.nothing_there"), notFoundError(s.path)
	case err != nil:
		return tool.Forecast{}, operationError("look_at", s.path, err)
	case kindOf(info) != d.kind:
		note, f.Problem = message.New("files.other_kind_stays", "kind", d.kind), d.checkKind(info, s.path)
	case a.unchanged != nil && a.unchanged.checkFile(ctx, s.parent, s.name, info) != nil:
		note, f.Problem = message.New("files.changed_stays"), changedError(s.path, errChanged)
	default:
		c := counter{root: s.parent, prefix: filepath.Dir(s.path), deadline: time.Now().Add(maxCounting), digest: sha256.New()}
		c.add(s.name, info)
		if info.IsDir() {
			c.walk(ctx, s.name)
		}
		f.Identity = c.identity()
		if d.kind == folderKind && !a.recursive {
			// Only the empty folder itself would be deleted, so its content does
			// not matter.
			f.Identity = identity{kind: folderKind, ino: inode.Number(info), born: inode.BirthTime(s.parent, s.name, info)}.String()
			if c.count > 1 {
				c = counter{count: 1, names: c.names[:1]}
				note = message.New("files.not_empty_now", "note", note)
				f.Problem = tool.AsError(d.emptyEnough(s.parent, s.name, s.path, a))
			}
		}
		if c.more && a.recursive { // the approval would not cover the other entries
			return tool.Forecast{}, c.incomplete(s.path).WithAlternative(message.New("files.delete_parts_first"))
		}
		if err := checkMounts(s.real); err != nil && f.Problem == nil {
			f.Problem, f.Unsolvable = tool.AsError(err), true
		}
		f.Destroys, f.Count = c.names, c.count
		note = c.describe(note)
	}
	f.Note = note
	return f, nil
}

// choose returns where a deleted file goes.
func (d *deleter) choose(s *spot) (tool.Forecast, message.Message) {
	if b, ok := d.bin(s); ok {
		real, _ := realpath.Resolve(b.path())
		return tool.Forecast{Reversible: true, Destination: real}, message.New("files.goes_to_trash", "trash", b.path())
	}
	if !hasTrash {
		return tool.Forecast{}, message.New("files.no_trash_on_system")
	}
	return tool.Forecast{}, message.New("files.no_trash_for_place")
}

// counter counts the entries of a folder and lists the first ones, in the order of
// their names, each folder before its content.
type counter struct {
	root       *os.Root
	prefix     string // path of the root, a prefix of the names
	deadline   time.Time
	names      []string
	count      int
	more       bool // there are more entries
	unreadable int  // number of folders that could not be read
	digest     hash.Hash
}

// add counts an entry. info is nil if it could not be read.
func (c *counter) add(rel string, info fs.FileInfo) {
	if info == nil {
		fmt.Fprintf(c.digest, "%q ?\n", rel)
	} else {
		fmt.Fprintf(c.digest, "%q %s %s\n", rel, info.Mode().Type(), filestate.Stamp(info))
	}
	if len(c.names) < tool.MaxDestroys {
		c.names = append(c.names, clear(filepath.Join(c.prefix, filepath.FromSlash(rel))))
	}
	c.count++
}

func (c *counter) walk(ctx context.Context, rel string) {
	entries, err := c.list(ctx, rel)
	if err != nil {
		c.unreadable++
		return
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	for _, e := range entries {
		if c.isFull(ctx) {
			return
		}
		inside := path.Join(rel, e.name)
		c.add(inside, e.info)
		if e.info != nil && e.info.IsDir() { // false for a link
			c.walk(ctx, inside)
		}
	}
}

// entry is an entry of a folder. info is nil if it could not be read.
type entry struct {
	name string
	info fs.FileInfo
}

// list reads a folder, but at most as many entries as may still be counted. It
// closes the folder before its subfolders are opened, so depth does not matter.
func (c *counter) list(ctx context.Context, rel string) ([]entry, error) {
	dir, err := c.root.OpenRoot(rel)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []entry
	for len(all) <= maxCounted-c.count && !c.isFull(ctx) {
		some, err := f.ReadDir(1024)
		for _, e := range some {
			info, err := dir.Lstat(e.Name())
			if err != nil {
				info = nil
			}
			all = append(all, entry{e.Name(), info})
		}
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// isFull reports whether counting must stop.
func (c *counter) isFull(ctx context.Context) bool {
	if c.count >= maxCounted || ctx.Err() != nil || time.Now().After(c.deadline) {
		c.more = true
	}
	return c.more
}

// incomplete returns the error for a folder that has more entries than were counted.
func (c *counter) incomplete(p string) *tool.Error {
	if c.count >= maxCounted {
		return filestate.TooManyEntries(p, maxCounted)
	}
	return tool.NewError(tool.ToolTimeout, filestate.CodeIncomplete, message.New("files.count_timeout", "path", p, "limit", maxCounting))
}

// identity returns a digest of the counted entries: the name, kind and stamp of each,
// and how many folders could not be read.
func (c *counter) identity() string {
	fmt.Fprintf(c.digest, "%d\n", c.unreadable)
	return hex.EncodeToString(c.digest.Sum(nil))
}

// describe adds to a note what the counter did not see.
func (c *counter) describe(note message.Message) message.Message {
	if c.unreadable > 0 {
		note = message.New("files.unreadable_folders", "note", note, "count", c.unreadable)
	}
	return note
}

// clear returns a path for one line. It quotes names that would break the line or
// change the writing direction.
func clear(p string) string {
	for _, r := range p {
		if !unicode.IsGraphic(r) || r == unicode.ReplacementChar {
			return strconv.Quote(p)
		}
	}
	return p
}
