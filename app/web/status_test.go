package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"testing"

	"errand/app/desktop"
	"errand/host/tool"
	"errand/planner/message"
)

// TestStatus: each class of failure has its status, and only what the program
// could not do is its own fault.
func TestStatus(t *testing.T) {
	of := func(c tool.Class) error { return tool.NewError(c, "x", message.Verbatim("x")) }
	for _, tt := range []struct {
		name string
		err  error
		want int
	}{
		{"what was asked for is wrong", of(tool.ValidationError), http.StatusConflict},
		{"wrapped", fmt.Errorf("a: %w", of(tool.ValidationError)), http.StatusConflict},
		{"policy says no", of(tool.PolicyDenied), http.StatusConflict},
		{"what it takes is not there", of(tool.ToolUnavailable), http.StatusServiceUnavailable},
		{"too long", of(tool.ToolTimeout), http.StatusGatewayTimeout},
		{"too long, as the context says", context.DeadlineExceeded, http.StatusGatewayTimeout},
		{"it failed", of(tool.ExecutionError), http.StatusInternalServerError},
		{"nobody knows", errors.New("x"), http.StatusInternalServerError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := statusOf(tt.err); got != tt.want {
				t.Errorf("status %d, want %d", got, tt.want)
			}
		})
	}
}

// TestStatusOfUploads checks the statuses of what a page sent wrongly.
func TestStatusOfUploads(t *testing.T) {
	for code, want := range map[string]int{
		desktop.CodeUploadName: http.StatusBadRequest, desktop.CodeUploadCut: http.StatusBadRequest,
		desktop.CodeUploadLarge: http.StatusRequestEntityTooLarge, "upload_no_plugin": http.StatusConflict,
	} {
		if got := uploadStatus(tool.NewError(tool.ValidationError, code, message.Verbatim("x"))); got != want {
			t.Errorf("%s: %d, want %d", code, got, want)
		}
	}
	if got := uploadStatus(fs.ErrPermission); got != http.StatusInternalServerError {
		t.Errorf("a disk that can't be written: %d", got)
	}
}
