package engine

import (
	"errors"
	"testing"
)

// TestInBackground checks that a panic is an error and that every waiter gets the result.
func TestInBackground(t *testing.T) {
	cause := errors.New("cause")
	for name, tt := range map[string]struct {
		f    func() error
		want string
	}{
		"success": {func() error { return nil }, ""},
		"error":   {func() error { return cause }, "cause"},
		"panic":   {func() error { panic("damaged code") }, "damaged code"},
	} {
		t.Run(name, func(t *testing.T) {
			wait := inBackground(tt.f)
			for range 2 {
				got := ""
				if err := wait(); err != nil {
					got = err.Error()
				}
				if got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			}
		})
	}
}
