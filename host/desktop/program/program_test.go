//go:build unix

package program_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"errand/host/desktop/program"
)

// TestDeadline: a program that keeps its pipes open in a process that it leaves behind ends with the
// deadline.
func TestDeadline(t *testing.T) {
	for _, tt := range []struct {
		name string
		call func(context.Context) error
	}{
		{"sleeps", func(ctx context.Context) error {
			_, err := program.Run(ctx, "/bin/sh", "", "-c", "sleep 60")
			return err
		}},
		{"leaves a reader", func(ctx context.Context) error {
			return program.Feed(ctx, "/bin/sh", strings.Repeat("x", 1<<20), "-c", "sleep 60 <&0 & sleep 60")
		}},
		{"leaves a writer", func(ctx context.Context) error {
			_, err := program.Run(ctx, "/bin/sh", "", "-c", "sleep 60 & sleep 60")
			return err
		}},
		{"writes forever", func(ctx context.Context) error { _, err := program.Run(ctx, "/bin/sh", "", "-c", "yes"); return err }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			start := time.Now()
			if err := tt.call(ctx); err == nil {
				t.Error("it ended without an error")
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("it went on for %s after its deadline", took)
			}
		})
	}
}
