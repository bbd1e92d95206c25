package files

import (
	"context"
	"maps"

	"errand/host/files/inode"
	"errand/host/tool"
)

// Pin implements [tool.Pinner]. The plugin that made a folder knows its inode
// number, but that number may be reused later. Pin adds the creation time. Files
// are identified by their content.
func (d *deleter) Pin(ctx context.Context, args map[string]any) (map[string]any, error) {
	a, fail := d.read(args)
	if fail != nil {
		return nil, fail
	}
	if d.kind != folderKind || a.unchanged == nil || a.unchanged.mtime != "" || a.unchanged.born != "" {
		return args, nil
	}
	s, err := d.open(tool.Call{}, a.path)
	if err != nil {
		return nil, err
	}
	defer s.close()
	info, err := s.lstat()
	if err != nil {
		return nil, operationError("look_at", s.path, err)
	}
	if err := a.unchanged.checkFile(ctx, s.parent, s.name, info); err != nil {
		return nil, changedError(s.path, err)
	}
	pinned := *a.unchanged
	pinned.born = inode.BirthTime(s.parent, s.name, info)
	args = maps.Clone(args)
	args["if_unchanged"] = pinned.String()
	return args, nil
}
