package install

import (
	"bytes"
	"io/fs"
	"time"
)

// FS returns the plugin's files as they will be in their folder.
func (b *Bundle) FS() fs.FS { return memory(b.files) }

// memory is a file system of files in memory, by name.
type memory map[string][]byte

// Open implements [fs.FS].
func (m memory) Open(name string) (fs.File, error) {
	content, ok := m[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{Reader: bytes.NewReader(content), name: name}, nil
}

// memoryFile is an open file and its info.
type memoryFile struct {
	*bytes.Reader
	name string
}

var _ fs.File = (*memoryFile)(nil)

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *memoryFile) Close() error               { return nil }
func (f *memoryFile) Name() string               { return f.name }
func (f *memoryFile) Mode() fs.FileMode          { return 0o400 }
func (f *memoryFile) ModTime() time.Time         { return time.Time{} }
func (f *memoryFile) IsDir() bool                { return false }
func (f *memoryFile) Sys() any                   { return nil }
