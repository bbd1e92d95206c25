//go:build unix

package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
)

// swaps are changes of a file that an approval must notice.
var swaps = []struct {
	name   string
	change func(path string) error
}{
	{"rewritten, size and time restored", func(p string) error {
		info, err := os.Stat(p)
		if err == nil {
			err = os.WriteFile(p, []byte("thief"), 0o600)
		}
		if err == nil {
			err = os.Chtimes(p, info.ModTime(), info.ModTime())
		}
		return err
	}},
	{"grown", func(p string) error { return os.WriteFile(p, []byte("draft and more"), 0o600) }},
	{"replaced by a link", func(p string) error { return replaceBy(p, os.Symlink) }},
	{"replaced by a hard link", func(p string) error { return replaceBy(p, os.Link) }},
	{"renamed over", func(p string) error { return replaceBy(p, os.Rename) }},
	{"its folder replaced by a link", func(p string) error {
		folder := filepath.Dir(p)
		if err := os.Rename(folder, folder+"2"); err != nil {
			return err
		}
		return os.Symlink(filepath.Base(folder)+"2", folder)
	}},
}

// replaceBy puts another file in the place of one.
func replaceBy(p string, place func(old, new string) error) error {
	other := filepath.Join(filepath.Dir(p), "other.txt")
	if err := os.WriteFile(other, []byte("thief"), 0o600); err != nil {
		return err
	}
	if err := os.Remove(p); err != nil {
		return err
	}
	return place(other, p)
}

// TestApprovalIsBoundToContent: a file that is changed after the draft was shown is shown
// again, and one that is changed after the approval stays as it is.
func TestApprovalIsBoundToContent(t *testing.T) {
	for _, tt := range swaps {
		t.Run(tt.name, func(t *testing.T) {
			for _, late := range []bool{false, true} {
				a, home := opened(t, Options{})
				folders(t, home, "Sub")
				path := written(t, home, "Sub/f.txt", "draft")
				if late {
					a.replaceTool = func(made tool.Tool) tool.Tool { return changing{made, func() error { return tt.change(path) }} }
				}
				_, d := waitingDraft(t, a, "delete file "+path)
				if f := d.Actions[0].Files; len(f) != 1 || f[0].Path != path || f[0].Size != 5 || f[0].SHA256 == "" || f[0].Mark != "" {
					t.Fatalf("shown %+v", f)
				}
				if !late {
					must.Succeed(t, tt.change(path))
				}
				r := approved(t, a, runs.ApproveRequest{ID: d.DraftID})
				if r.Status != trace.NeedsApproval || r.Error == nil || late != (r.Error.Code == "needs_approval") || !strings.Contains(say(r.Error.Message), path) || !there(path) {
					t.Errorf("late %t: status %s, %v, there %t", late, r.Status, r.Error, there(path))
				}
			}
		})
	}
}

// changing is a tool whose files change right before its call.
type changing struct {
	tool.Tool
	change func() error
}

func (c changing) Prepare(context.Context) error {
	if c.Spec().Name != "files.delete_file" {
		return nil
	}
	return c.change()
}

func (c changing) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	if f, can := c.Tool.(tool.Forecaster); can {
		return f.Forecast(ctx, call)
	}
	return tool.Forecast{}, nil
}
