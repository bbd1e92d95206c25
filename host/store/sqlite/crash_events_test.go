package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/event"
	"errand/host/store/sqlite"
	"errand/host/trace/tracetest"
)

// tell publishes until the program dies. What it prints has been acknowledged.
func tell(ctx context.Context, s *sqlite.Store) error {
	for i := 0; ; i++ {
		e, err := s.Publish(ctx, event.New("host/run", tracetest.Start, event.Get, event.Name("cld:a.B."+fmt.Sprint(i))))
		if err != nil {
			return err
		}
		fmt.Println("told", e.ID)
	}
}

// TestKillPublish: what was acknowledged is there after the program died.
func TestKillPublish(t *testing.T) {
	t.Run("S1-H18 an event that was acknowledged survives a kill", func(t *testing.T) {
		dir := t.TempDir()
		for range 5 {
			cmd, out := start(t, dir, "events")
			var told []string
			for out.Scan() {
				told = append(told, strings.TrimPrefix(out.Text(), "told "))
				if len(told) == 1 {
					time.AfterFunc(time.Duration(rand.IntN(40_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
				}
			}
			if cmd.Wait() == nil {
				t.Fatal("the child ended by itself")
			}
			events, err := open(t, dir, sqlite.Options{ReadOnly: true}).EventsSince(t.Context(), 0, "", 0)
			must.Succeed(t, err)
			kept := map[string]bool{}
			for _, e := range events {
				kept[fmt.Sprint(e.ID)] = true
			}
			for _, id := range told {
				if !kept[id] {
					t.Errorf("event %s was acknowledged and is gone", id)
				}
			}
			if len(told) == 0 {
				t.Error("it told nothing")
			}
		}
		checkIntegrity(t, dir)
	})
}
