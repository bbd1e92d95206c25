package config

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"errand/host/atomicfile"
	"errand/planner/message"
)

// Edit is one change of errand.toml.
type Edit struct {
	Key    string // a key of [Editable]; empty if Append is set
	Value  any    // string, bool, int64 or []string; nil removes the key and so restores the default
	Append string // TOML to append to the file, such as a [[policy.rules]]
}

// Change applies edits to errand.toml, all or none, and creates the file if necessary. It
// writes the file atomically, and only if the resulting configuration is valid. Comments
// and the order of lines stay. The error is a [Problems] if the edited file would be
// invalid, with its line numbers; other errors mean that the file can't be written.
func Change(o Options, edits ...Edit) error {
	place, err := Place(o)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(place); err == nil { // keep symbolic links
		place = real
	}
	was, err := readFile(place)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return message.Error("config.read_file", "file", place, "cause", err)
	}
	is := bytes.Clone(was)
	for _, e := range edits {
		if is, err = applyEdit(is, e); err != nil {
			return Problems{{Source: filepath.Base(place), Key: e.Key, Message: message.FromError(err)}}
		}
	}
	if _, err := loadAs(o, is); err != nil {
		return err
	}
	if bytes.Equal(was, is) {
		return nil
	}
	if now, err := readFile(place); err == nil && !bytes.Equal(was, now) || err != nil && was != nil {
		return message.Error("config.file_changed", "file", place)
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return err
	}
	if err := atomicfile.Write(place, is, 0o600); err != nil {
		return message.Error("config.write_file", "file", place, "cause", err)
	}
	return nil
}
