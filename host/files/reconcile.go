package files

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"errand/host/tool"
)

// Reconcile implements [tool.Reconciler]. The trash records which call deleted a
// file. Without such a record, the call had its effect if the file is missing.
func (d *deleter) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	a, s, err := d.openArgs(ctx, call, d.read)
	switch {
	case errors.Is(err, errAbsent):
		root, rel, fail := d.place(a.path)
		if fail != nil {
			return tool.Reconciled{}, fail
		}
		return committedEffect(deletedResult(filepath.Join(root, rel), true)), nil
	case err != nil:
		return tool.Reconciled{}, err
	}
	defer s.close()
	r := deletedResult(s.path, true)
	_, err = s.lstat()
	there := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	switch undo, trash := d.undo(s, a.createdPath, call.Key); {
	case undo != nil:
		r.Payload.(map[string]any)["trash"], r.Undo = trash, undo
		if there { // created again since
			r.Facts = nil
		}
		return committedEffect(r), nil
	case there:
		return tool.Reconciled{Effect: tool.Released}, nil
	}
	return committedEffect(r), nil
}

func committedEffect(r tool.Result) tool.Reconciled {
	return tool.Reconciled{Effect: tool.Committed, Result: r}
}

// undo returns how to undo the call with a key: restore what it moved to the
// trash. It returns nil if the trash has nothing from it.
func (d *deleter) undo(s *spot, made, key string) (*tool.Inverse, string) {
	b, ok := d.bin(s)
	if !ok {
		return nil, ""
	}
	t, err := b.open(false)
	if err != nil {
		return nil, ""
	}
	defer t.close()
	name, info := t.findByKey(key)
	if info == nil {
		return nil, ""
	}
	return t.inverse(name, s.path, made, info), b.path()
}

// Reconcile implements [tool.Reconciler]: the call had its effect if the file is
// in its place and no longer in the trash.
func (r *restorer) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	a, s, err := r.openArgs(ctx, call, r.read)
	switch {
	case errors.Is(err, errAbsent):
		return tool.Reconciled{Effect: tool.Released}, nil
	case err != nil:
		return tool.Reconciled{}, err
	}
	defer s.close()
	if t, _, err := r.find(ctx, s, a); err == nil {
		t.close()
		return tool.Reconciled{Effect: tool.Released}, nil // it is still in the trash
	}
	info, err := s.lstat()
	if err != nil || a.unchanged == nil || a.unchanged.checkFile(ctx, s.parent, s.name, info) != nil {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	return committedEffect(restoredResult(s, a.createdPath, info)), nil
}
