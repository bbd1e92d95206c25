package store_test

import (
	"testing"

	"errand/host/store"
	"errand/host/trace/tracetest"
)

func open(t testing.TB, dir string, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestLog(t *testing.T) {
	tracetest.Run(t, func(t *testing.T) tracetest.Log { return open(t, t.TempDir(), store.Options{}) })
}
