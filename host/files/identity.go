package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"errand/host/files/inode"
	"errand/host/filestate"
	"errand/host/tool"
	"errand/planner/message"
)

// kind is the kind of a file, as far as deletion is concerned.
type kind string

const (
	folderKind kind = "folder"
	fileKind   kind = "file" // links, pipes and the like included
)

func kindOf(info fs.FileInfo) kind {
	if info.IsDir() {
		return folderKind
	}
	return fileKind
}

// identity identifies a file that was seen: "folder ino=12", "file ino=12 size=5
// sha256=2cf2…", "folder ino=12 mtime=1700000000000000000". Missing fields may
// have any value. A new folder has no mtime, because undoing later actions in the
// folder changes it. It has the creation time instead, because inode numbers are
// reused. A copied folder has the mark of its content.
type identity struct {
	kind  kind
	ino   string // decimal; "" if the platform has none
	born  string // nanoseconds since 1970; "" if the file system does not store it
	mtime string // nanoseconds since 1970
	size  string // bytes, decimal
	sum   string // SHA-256 of the content, hex
	tree  string // of a folder: the mark of its [survey]
}

func (i identity) String() string {
	s := string(i.kind)
	for _, f := range []struct{ key, value string }{{"ino", i.ino}, {"born", i.born}, {"mtime", i.mtime}, {"size", i.size}, {"sha256", i.sum}, {"tree", i.tree}} {
		if f.value != "" {
			s += " " + f.key + "=" + f.value
		}
	}
	return s
}

// parseIdentity parses the format of String, which plugins use too. An unknown
// word is an error, because its condition could not be checked.
func parseIdentity(s string) (identity, error) {
	words := strings.Split(s, " ")
	i := identity{kind: kind(words[0])}
	if i.kind != folderKind && i.kind != fileKind {
		return identity{}, message.Error("files.identity_without_kind", "identity", s)
	}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		field := map[string]*string{"ino": &i.ino, "born": &i.born, "mtime": &i.mtime, "size": &i.size, "sha256": &i.sum, "tree": &i.tree}[key]
		switch {
		case field == nil || *field != "":
			return identity{}, message.Error("files.unknown_identity_key", "identity", s, "key", word)
		case key == "sha256", key == "tree":
			if b, err := hex.DecodeString(value); err != nil || len(b) != sha256.Size {
				return identity{}, message.Error("files.identity_bad_sha256", "identity", s, "key", key)
			}
		default:
			if n, err := strconv.ParseInt(value, 10, 64); err != nil || strconv.FormatInt(n, 10) != value {
				if u, err := strconv.ParseUint(value, 10, 64); err != nil || strconv.FormatUint(u, 10) != value {
					return identity{}, message.Error("files.identity_not_number", "identity", s, "key", key)
				}
			}
		}
		*field = value
	}
	return i, nil
}

// stateOf returns the identity of a file's current state: its inode, and the time
// and size, which change with it.
func stateOf(info fs.FileInfo) identity {
	i := identity{kind: kindOf(info), ino: inode.Number(info), mtime: strconv.FormatInt(info.ModTime().UnixNano(), 10)}
	if info.Mode().IsRegular() {
		i.size = strconv.FormatInt(info.Size(), 10)
	}
	return i
}

// errChanged means that a file does not match an identity.
var errChanged = message.Error("files.not_same_file")

// checkFile returns [errChanged] if name in dir does not match i. Reading the content
// ends soon after ctx does.
func (i identity) checkFile(ctx context.Context, dir *os.Root, name string, info fs.FileInfo) error {
	now := stateOf(info)
	if i.born != "" {
		now.born = inode.BirthTime(dir, name, info)
	}
	for _, pair := range [][2]string{{i.ino, now.ino}, {i.born, now.born}, {i.mtime, now.mtime}, {i.size, now.size}} {
		if pair[0] != "" && pair[1] != "" && pair[0] != pair[1] {
			return errChanged
		}
	}
	if i.kind != now.kind || i.size != "" && now.size == "" {
		return errChanged
	}
	if i.tree != "" {
		if now, err := makeSurvey(ctx, dir, name, info); err != nil || now.mark != i.tree {
			return errors.Join(ctx.Err(), errChanged)
		}
	}
	if i.sum == "" {
		return nil
	}
	if !info.Mode().IsRegular() {
		return errChanged
	}
	sum, err := hashOf(ctx, dir, name, info)
	switch {
	case err != nil:
		return err
	case !strings.EqualFold(sum, i.sum):
		return errChanged
	}
	return nil
}

// hashOf is [filestate.HashOf]. The error of another file is [errChanged].
func hashOf(ctx context.Context, dir *os.Root, name string, info fs.FileInfo) (string, error) {
	sum, err := filestate.HashOf(ctx, dir, name, info)
	if errors.Is(err, filestate.ErrReplaced) {
		err = errChanged
	}
	return sum, err
}

// changedError returns the error of a call whose condition is not met.
func changedError(p string, err error) *tool.Error {
	if !errors.Is(err, errChanged) {
		return operationError("look_at", p, err)
	}
	return tool.NewError(tool.ExecutionError, "changed", message.New("files.changed", "path", p)).
		WithHint(message.New("files.check_then_delete"))
}
