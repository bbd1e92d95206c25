package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"errand/host/filestate"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// Limits of what one call copies. Only tests change them.
var (
	maxCopiedEntries       = filestate.MaxEntries
	maxCopiedBytes   int64 = 20 << 30
)

// survey is what a file or a folder contains.
type survey struct {
	files, folders, links int
	bytes                 int64
	// mark is the SHA-256, in hex, of the names and kinds of all entries, of the sizes and
	// times of the files, and of the targets of the links. The copy of a tree has the same
	// mark, wherever it is.
	mark string
}

// surveyor makes a survey.
type surveyor struct {
	survey
	sum hash.Hash
	top string // for messages
}

// makeSurvey looks through a file or folder. It follows no links. The error of something that
// can't be copied, or of more than the limits, is a *tool.Error.
func makeSurvey(ctx context.Context, dir *os.Root, name string, info fs.FileInfo) (survey, error) {
	s := surveyor{sum: sha256.New(), top: name}
	if err := s.add(ctx, dir, name, "", info); err != nil {
		return survey{}, err
	}
	s.mark = hex.EncodeToString(s.sum.Sum(nil))
	return s.survey, nil
}

func (s *surveyor) add(ctx context.Context, dir *os.Root, name, rel string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		s.folders++
		fmt.Fprintf(s.sum, "%q folder\n", rel)
		return s.list(ctx, dir, name, rel)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := dir.Readlink(name)
		if err != nil {
			return err
		}
		s.links++
		fmt.Fprintf(s.sum, "%q link %q\n", rel, target)
	case info.Mode().IsRegular():
		s.files++
		s.bytes += info.Size()
		fmt.Fprintf(s.sum, "%q %d %d\n", rel, info.Size(), info.ModTime().UnixNano())
		if s.bytes > maxCopiedBytes {
			return tool.NewError(tool.ExecutionError, "too_large", message.New("files.copy_too_large", "path", s.top, "limit", maxCopiedBytes)).
				WithAlternative(message.New("files.copy_parts"))
		}
	default:
		return tool.NewError(tool.ExecutionError, "unsupported_file", message.New("files.copy_unsupported", "path", path.Join(s.top, rel))).
			WithAlternative(message.New("files.copy_parts"))
	}
	return nil
}

func (s *surveyor) list(ctx context.Context, dir *os.Root, name, rel string) error {
	folder, err := realpath.OpenFolder(dir, name)
	if err != nil {
		return err
	}
	defer folder.Close()
	entries, err := sortedEntries(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.files+s.folders+s.links >= maxCopiedEntries {
			return tool.NewError(tool.ExecutionError, "too_many_items", message.New("files.copy_too_many", "path", s.top, "limit", maxCopiedEntries)).
				WithAlternative(message.New("files.copy_parts"))
		}
		info, err := folder.Lstat(e.Name())
		if err != nil {
			return err
		}
		if err := s.add(ctx, folder, e.Name(), path.Join(rel, e.Name()), info); err != nil {
			return err
		}
	}
	return nil
}

// sortedEntries returns the entries of an open folder by their names.
func sortedEntries(folder *os.Root) ([]fs.DirEntry, error) {
	f, err := folder.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}
