package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"

	"errand/host/mount"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// transfer copies a file or folder to a new place: under a temporary name first, so that the
// copy appears as a whole or not at all. Links are copied as links, and permissions and times
// of modification are kept.
type transfer struct {
	*pair
	// certain writes the copy to disk and compares it with the original, which is deleted
	// afterwards.
	certain bool
	part    string   // the temporary name
	source  mount.ID // of the original
	content survey
	sum     string // SHA-256, in hex, of a single file
}

// errCopyDiffers means that what was read back is not what was written.
var errCopyDiffers = message.Error("files.copy_differs")

// run makes the copy. Nothing is left of it if an error is returned. The error of a file at
// the destination is [fs.ErrExist], and that of an original that changed meanwhile
// [errChanged].
func (t *transfer) run(ctx context.Context) error {
	var err error
	if t.source, err = mount.Of(t.from.dir); err != nil {
		return err
	}
	if t.content, err = makeSurvey(ctx, t.from.parent, t.from.name, t.info); err != nil {
		return err
	}
	t.discard(t.part) // of an earlier attempt
	part := t.part
	if err = t.copy(ctx, t.from.parent, t.from.name, t.to.parent, part, t.info); err == nil {
		err = t.compare(ctx, part)
	}
	if err == nil {
		err = settle(t.to, part)
	}
	if err != nil {
		t.discard(part)
	}
	return err
}

// compare surveys the copy and, again, the original.
func (t *transfer) compare(ctx context.Context, part string) error {
	info, err := t.to.parent.Lstat(part)
	if err != nil {
		return err
	}
	if made, err := makeSurvey(ctx, t.to.parent, part, info); err != nil || made.mark != t.content.mark {
		return errors.Join(err, errChanged)
	}
	if now, err := makeSurvey(ctx, t.from.parent, t.from.name, t.info); err != nil || now.mark != t.content.mark {
		return errors.Join(err, errChanged)
	}
	return nil
}

// settle gives a finished copy its name, unless something has that name.
func settle(to *spot, part string) error {
	err := move(to.dir, part, to.dir, to.name)
	if isUnsupported(err) {
		if _, there := to.lstat(); there == nil {
			return fs.ErrExist
		}
		err = to.parent.Rename(part, to.name)
	}
	if err == nil {
		sync(to.dir)
	}
	return err
}

func (t *transfer) discard(part string) {
	info, err := t.to.parent.Lstat(part)
	switch {
	case err != nil:
	case info.IsDir():
		_ = t.to.parent.RemoveAll(part)
	default:
		_ = t.to.parent.Remove(part)
	}
}

func (t *transfer) copy(ctx context.Context, from *os.Root, name string, to *os.Root, newName string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return t.copyFolder(ctx, from, name, to, newName, info)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := from.Readlink(name)
		if err != nil {
			return err
		}
		return to.Symlink(target, newName)
	}
	return t.copyFile(ctx, from, name, to, newName, info)
}

func (t *transfer) copyFolder(ctx context.Context, from *os.Root, name string, to *os.Root, newName string, info fs.FileInfo) error {
	if err := to.Mkdir(newName, 0o700); err != nil {
		return err
	}
	source, err := realpath.OpenFolder(from, name)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := realpath.OpenFolder(to, newName)
	if err != nil {
		return err
	}
	defer target.Close()
	if t.certain {
		if err := checkRootMount(source, t.source); err != nil {
			return err
		}
	}
	entries, err := sortedEntries(source)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		below, err := source.Lstat(e.Name())
		if err != nil {
			return err
		}
		if err := t.copy(ctx, source, e.Name(), target, e.Name(), below); err != nil {
			return err
		}
	}
	return keepAttributes(to, newName, info)
}

func (t *transfer) copyFile(ctx context.Context, from *os.Root, name string, to *os.Root, newName string, info fs.FileInfo) error {
	in, err := realpath.OpenFile(from, name, os.O_RDONLY|realpath.NonBlock, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	if t.certain {
		if err := checkMount(in, t.source); err != nil {
			return err
		}
	}
	out, err := to.OpenFile(newName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, h), tool.NewReader(ctx, io.LimitReader(in, info.Size()+1)))
	if err == nil && t.certain {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	t.sum = hex.EncodeToString(h.Sum(nil))
	if t.certain {
		made, err := to.Lstat(newName)
		if err != nil {
			return err
		}
		if sum, err := hashOf(ctx, to, newName, made); err != nil || sum != t.sum {
			return errors.Join(err, errCopyDiffers)
		}
	}
	return keepAttributes(to, newName, info)
}

// keepAttributes gives a copy the permissions and times of the original.
func keepAttributes(to *os.Root, name string, info fs.FileInfo) error {
	return errors.Join(to.Chmod(name, info.Mode().Perm()), to.Chtimes(name, info.ModTime(), info.ModTime()))
}
