package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
)

// MaxArtifact is the maximum size of an artifact in bytes.
const MaxArtifact = 64 << 20

// extensions are the file extensions of artifacts; others get ".bin". None is
// executable on any system.
var extensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "application/pdf": ".pdf",
	"text/html": ".html", "text/plain": ".txt", "application/json": ".json", "text/csv": ".csv",
}

const stagedPrefix = "new-" // of files that are being written

// staged are artifacts in temporary files.
type staged struct {
	root      string
	artifacts []tool.Artifact // with Path below artifacts/ and without data
	temporary map[string]string
}

// stage writes the data of artifacts to temporary files and syncs them.
func (s *Store) stage(artifacts []tool.Artifact) (*staged, error) {
	g := &staged{root: filepath.Join(s.dir, artifactDir), artifacts: slices.Clone(artifacts), temporary: map[string]string{}}
	for i, a := range g.artifacts {
		if a.Data == nil {
			continue
		}
		if len(a.Data) > MaxArtifact {
			g.discard()
			return nil, tool.NewError(tool.ExecutionError, store.CodeTooLarge,
				message.New("store.artifact_too_large", "name", a.Name, "size", len(a.Data), "limit", MaxArtifact))
		}
		sum := sha256.Sum256(a.Data)
		a.SHA256, a.Size = hex.EncodeToString(sum[:]), int64(len(a.Data))
		mediaType, _, _ := strings.Cut(a.MediaType, ";")
		ext, ok := extensions[strings.TrimSpace(mediaType)]
		if !ok {
			ext = ".bin"
		}
		a.Path = path.Join(a.SHA256[:2], a.SHA256+ext)
		if g.temporary[a.Path] == "" {
			temporary, err := writeTemporary(g.root, a.Data)
			if err != nil {
				g.discard()
				return nil, err
			}
			g.temporary[a.Path] = temporary
		}
		a.Data = nil
		g.artifacts[i] = a
	}
	return g, nil
}

func writeTemporary(root string, data []byte) (name string, err error) {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(root, stagedPrefix+"*") // mode 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// publish renames the files to their final names. An existing file has the same
// content or is incomplete; it is replaced atomically in both cases.
func (g *staged) publish() error {
	for _, file := range g.files() {
		to := filepath.Join(g.root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.Rename(g.temporary[file], to); err != nil {
			return err
		}
		delete(g.temporary, file)
		if err := syncDir(filepath.Dir(to)); err != nil {
			return err
		}
	}
	return nil
}

// files returns the artifacts' files below the root, without duplicates.
func (g *staged) files() []string {
	var files []string
	for _, a := range g.artifacts {
		if a.Path != "" && !slices.Contains(files, a.Path) {
			files = append(files, a.Path)
		}
	}
	return files
}

// discard deletes files that were not published.
func (g *staged) discard() {
	for _, temporary := range g.temporary {
		_ = os.Remove(temporary) // a sweep deletes it later if this fails
	}
}

func (s *Store) artifactPath(file string) string {
	return filepath.Join(s.dir, artifactDir, filepath.FromSlash(file))
}

// OpenArtifact implements [store.Artifacts]. It opens the file inside the
// artifacts' folder, so that no link can lead out of it.
func (s *Store) OpenArtifact(ctx context.Context, key string) (io.ReadCloser, error) {
	file := ""
	if raw, err := hex.DecodeString(key); err == nil && len(raw) == sha256.Size {
		name := path.Join(key[:2], key)
		err := s.look(ctx, message.New("store.find_artifact"), func(tx *sql.Tx) error {
			err := tx.QueryRowContext(ctx, "SELECT file FROM artifacts WHERE file > ? AND file < ? LIMIT 1", name+".", name+"/").Scan(&file)
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if file != "" {
		if f, err := openInside(filepath.Join(s.dir, artifactDir), file); err == nil {
			return f, nil
		}
	}
	return nil, tool.NewError(tool.ValidationError, store.CodeNoArtifact, message.New("store.artifact_not_found", "key", key))
}

// openInside opens a regular file below dir.
func openInside(dir, file string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(filepath.FromSlash(file))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = message.Error("store.not_regular_file")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// staleAfter is the age at which a temporary file is considered abandoned.
const staleAfter = time.Hour

// sweepArtifacts deletes files that no step refers to. It needs a transaction that
// excludes writers.
func (s *Store) sweepArtifacts(ctx context.Context, tx *sql.Tx) error {
	files, err := queryTexts(ctx, tx, "SELECT DISTINCT file FROM artifacts")
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, file := range files {
		needed[file] = true
	}
	root := filepath.Join(s.dir, artifactDir)
	err = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if needed[rel] || !s.oursToSweep(rel, e) {
			return nil
		}
		return os.Remove(name)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// oursToSweep reports whether this package made a file. The user's own files in
// the folder stay.
func (s *Store) oursToSweep(file string, e fs.DirEntry) bool {
	base := path.Base(file)
	if strings.HasPrefix(base, stagedPrefix) && base == file {
		info, err := e.Info()
		return err == nil && s.now().Sub(info.ModTime()) > staleAfter
	}
	sum := strings.TrimSuffix(base, path.Ext(base))
	raw, err := hex.DecodeString(sum)
	return err == nil && len(raw) == sha256.Size && path.Dir(file) == sum[:2]
}
