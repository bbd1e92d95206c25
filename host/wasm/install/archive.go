package install

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"strings"

	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// unfitError is why an archive is refused and what to do.
type unfitError struct{ reason, fix message.Message }

func (e *unfitError) Error() string              { return e.reason.String() }
func (e *unfitError) AsMessage() message.Message { return e.reason }

func archiveError(cure string, why message.Message) error {
	return &unfitError{why, message.New(cure, "file", manifest.File)}
}

// Codes of hints for archive errors.
const (
	packRelative = "install.pack_relative"
	packLess     = "install.pack_less"
	packFiles    = "install.pack_files"
	packOnce     = "install.pack_once"
	packOpen     = "install.pack_open"
	packOne      = "install.pack_one"
	fetchAgain   = "install.fetch_again"
)

// unpacker collects the files of an archive that a plugin may need. It refuses
// the whole archive if that contains a link, a path that leads out or anything
// else that a plugin folder can't have.
type unpacker struct {
	files    map[string][]byte // by path
	names    map[string]bool   // in lower case, for case-insensitive file systems
	unpacked int64
}

// place validates an entry's path and returns it without a leading "./".
func (u *unpacker) place(name string, dir bool) (string, error) {
	clean := strings.TrimPrefix(name, "./")
	if dir {
		clean = strings.TrimSuffix(clean, "/")
	}
	if clean == "" || clean == "." {
		return "", nil
	}
	switch {
	case strings.ContainsAny(clean, "\\:\x00"), path.IsAbs(clean), path.Clean(clean) != clean, clean == "..", strings.HasPrefix(clean, "../"):
		return "", archiveError(packRelative, message.New("install.archive_path", "path", name))
	case len(u.names) >= maxEntries:
		return "", archiveError(packLess, message.New("install.too_many_entries", "limit", maxEntries))
	}
	key := strings.ToLower(clean)
	if u.names[key] && !dir {
		return "", archiveError(packOnce, message.New("install.entry_twice", "name", name))
	}
	u.names[key] = true
	return clean, nil
}

// add adds a file. It reads and discards files that no plugin needs.
func (u *unpacker) add(name string, size int64, r io.Reader) error {
	if u.unpacked += max(size, 0); size < 0 || u.unpacked > maxUnpacked {
		return archiveError(packLess, message.New("install.unpacks_to_more", "limit", maxUnpacked))
	}
	limit, ok := fileLimit(path.Base(name))
	if !ok || strings.Count(name, "/") > 1 { // a plugin's files are at the top or in one folder
		return nil
	}
	if size > limit {
		return archiveError(packLess, message.New("install.file_too_long", "name", name, "limit", limit))
	}
	content, err := boundedReader(r, name, limit)
	if err == nil && int64(len(content)) != size {
		err = archiveError(fetchAgain, message.New("install.file_cut_off", "name", name))
	}
	u.files[name] = content
	return err
}

// plugin returns the files in the folder of the only manifest, by name.
func (u *unpacker) plugin() (map[string][]byte, error) {
	var dir string
	found := 0
	for name := range u.files {
		if path.Base(name) == manifest.File {
			dir, found = path.Dir(name), found+1
		}
	}
	switch {
	case found == 0:
		return nil, archiveError(packOne, message.New("install.archive_without_manifest", "file", manifest.File))
	case found > 1:
		return nil, archiveError(packOne, message.New("install.archive_with_manifests", "file", manifest.File, "count", found))
	}
	files := map[string][]byte{}
	for name, content := range u.files {
		if path.Dir(name) == dir {
			files[path.Base(name)] = content
		}
	}
	return files, nil
}

func newUnpacking() *unpacker {
	return &unpacker{files: map[string][]byte{}, names: map[string]bool{}}
}

// untar unpacks a .tar.gz.
func untar(content []byte) (map[string][]byte, error) {
	packed, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	// The limit includes headers and padding.
	whole := &io.LimitedReader{R: packed, N: maxUnpacked + maxEntries*3*512}
	t, u := tar.NewReader(whole), newUnpacking()
	for {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return u.plugin()
		case whole.N <= 0:
			return nil, archiveError(packLess, message.New("install.unpacks_to_more", "limit", maxUnpacked))
		case err != nil:
			return nil, err
		case h.Typeflag == tar.TypeXGlobalHeader:
			continue
		case h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeDir:
			return nil, archiveError(packFiles, message.New("install.entry_not_a_file", "name", h.Name))
		}
		name, err := u.place(h.Name, h.Typeflag == tar.TypeDir)
		if err == nil && h.Typeflag == tar.TypeReg {
			if name == "" {
				return nil, archiveError(packRelative, message.New("install.entry_without_name"))
			}
			err = u.add(name, h.Size, t)
		}
		if err != nil {
			return nil, err
		}
	}
}

// unzip unpacks a .zip.
func unzip(content []byte) (map[string][]byte, error) {
	// zip.NewReader ignores the entry count at the end and reads all entries of
	// the directory.
	if bytes.Count(content, []byte("PK\x01\x02")) > maxEntries {
		return nil, archiveError(packLess, message.New("install.too_many_entries", "limit", maxEntries))
	}
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, err
	}
	u := newUnpacking()
	for _, f := range z.File {
		mode := f.Mode()
		dir := mode.IsDir() || strings.HasSuffix(f.Name, "/")
		if !dir && !mode.IsRegular() {
			return nil, archiveError(packFiles, message.New("install.entry_not_a_file", "name", f.Name))
		}
		if f.Flags&1 != 0 {
			return nil, archiveError(packOpen, message.New("install.entry_encrypted", "name", f.Name))
		}
		name, err := u.place(f.Name, dir)
		if err != nil {
			return nil, err
		}
		if dir {
			continue
		}
		if name == "" || f.UncompressedSize64 > maxUnpacked {
			return nil, archiveError(packLess, message.New("install.unpacks_to_more", "limit", maxUnpacked))
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		err = u.add(name, int64(f.UncompressedSize64), r)
		r.Close()
		if err != nil {
			return nil, err
		}
	}
	return u.plugin()
}
