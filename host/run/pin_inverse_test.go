package run_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"errand/host/run"
	"errand/host/tool"
)

// pinner is a tool that takes calls back.
type pinner struct {
	tool.Tool
	pin func(context.Context, map[string]any) (map[string]any, error)
}

func (p pinner) Pin(ctx context.Context, args map[string]any) (map[string]any, error) {
	return p.pin(ctx, args)
}

// TestUndoIsPinned: how a call is taken back is held to what is there right after
// it, and is not lost where that can't be done.
func TestUndoIsPinned(t *testing.T) {
	said := map[string]any{"path": "/x"}
	pinned := map[string]any{"path": "/x", "if_unchanged": "born=5"}
	stop := make(chan struct{})
	tests := []struct {
		name string
		pin  func(context.Context, map[string]any) (map[string]any, error)
		want map[string]any
	}{
		{"pinned", func(_ context.Context, args map[string]any) (map[string]any, error) {
			args["if_unchanged"] = "born=5"
			return args, nil
		}, pinned},
		{"it fails", func(_ context.Context, args map[string]any) (map[string]any, error) {
			return pinned, errors.New("no")
		}, said},
		{"it answers nothing", func(context.Context, map[string]any) (map[string]any, error) { return nil, nil }, said},
		{"it breaks", func(context.Context, map[string]any) (map[string]any, error) { panic("oh") }, said},
		{"it does not end", func(context.Context, map[string]any) (map[string]any, error) { <-stop; return pinned, nil }, said},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stop = make(chan struct{})
				makes := newTool(func(context.Context, tool.Call) (tool.Result, error) {
					r := tool.OK("made")
					r.Undo = &tool.Inverse{Tool: "back", Args: map[string]any{"path": "/x"}}
					return r, nil
				}, writes)
				d, log := door(t, run.DispatcherOptions{}, makes, pinner{newTool(echo, named("back")), tt.pin})
				result, _ := d.Dispatch(t.Context(), call(hi))
				close(stop)
				for _, got := range []*tool.Inverse{result.Undo, recorded(t, log).Undo} {
					if diff := cmp.Diff(&tool.Inverse{Tool: "back", Args: tt.want}, got); diff != "" {
						t.Errorf("undo (-want +got):\n%s", diff)
					}
				}
			})
		})
	}
}
