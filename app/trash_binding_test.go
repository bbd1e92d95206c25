//go:build linux

package app

import (
	"os"
	"path/filepath"
	"testing"

	"errand/app/runs"
	"errand/build/must"
	"errand/host/trace"
)

// TestApprovalIsBoundToTheTrash: the trash is another folder after the draft was shown or
// approved. Nothing is deleted until the draft is approved again.
func TestApprovalIsBoundToTheTrash(t *testing.T) {
	link := func(t *testing.T, from, to string) {
		t.Helper()
		for _, err := range []error{os.MkdirAll(to, 0o700), os.MkdirAll(filepath.Dir(from), 0o700), os.RemoveAll(from), os.Symlink(to, from)} {
			must.Succeed(t, err)
		}
	}
	tests := []struct {
		name, goal    string
		before, after func(t *testing.T, trash, other string)
		asks          bool
	}{
		{"a folder, the trash becomes a link", "delete folder Old in documents", nil, link, true},
		{"a file, the trash becomes a link", "delete file Old/f.txt in documents", nil, link, true},
		{"an existing trash", "delete folder Old in documents", func(t *testing.T, trash, _ string) { mkdir(t, trash) }, link, true},
		{
			"its folder becomes a link", "delete folder Old in documents", func(t *testing.T, trash, _ string) { mkdir(t, trash) },
			func(t *testing.T, trash, other string) { link(t, filepath.Dir(trash), other) }, true,
		},
		{
			"a link leads elsewhere", "delete folder Old in documents", func(t *testing.T, trash, other string) { link(t, trash, other) },
			func(t *testing.T, trash, other string) { link(t, trash, other+"2") }, true,
		},
		{"a link stays", "delete folder Old in documents", link, func(*testing.T, string, string) {}, false},
		{"the trash is made", "delete folder Old in documents", nil, func(t *testing.T, trash, _ string) { mkdir(t, trash) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, late := range []bool{false, true} {
				base := t.TempDir()
				data := filepath.Join(base, "data", "share")
				trash, other := filepath.Join(data, "Trash"), filepath.Join(base, "other")
				a, home := opened(t, Options{})
				a.conf.Paths.Trash = trash // not beside the record, which would move with it
				paths := folders(t, home, "Old")
				written(t, home, "Old/f.txt", "draft")
				if tt.before != nil {
					tt.before(t, trash, other)
				}
				_, d := waitingDraft(t, a, tt.goal)
				if late {
					if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: d.DraftID, ApplyLater: true}); err != nil {
						t.Fatal(err)
					}
				}
				tt.after(t, trash, other)
				r := applied(t, a, d.DraftID, late)
				gone := !there(filepath.Join(paths[0], "f.txt"))
				if tt.asks == gone || tt.asks != (r.Status == trace.NeedsApproval) {
					t.Errorf("late %t: status %s, %v, gone %t", late, r.Status, r.Error, gone)
				}
			}
		})
	}
}

func mkdir(t *testing.T, folder string) {
	t.Helper()
	must.Succeed(t, os.MkdirAll(folder, 0o700))
}

// applied approves a draft, or applies it if it is approved.
func applied(t *testing.T, a *App, id string, isApproved bool) runs.Report {
	t.Helper()
	if !isApproved {
		return approved(t, a, runs.ApproveRequest{ID: id})
	}
	r, err := a.Apply(t.Context(), runs.ApplyRequest{ID: id})
	must.Succeed(t, err)
	return r
}
