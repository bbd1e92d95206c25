package sqlite_test

import (
	"testing"

	"errand/host/store/sqlite"
	"errand/host/trace/tracetest"
)

func open(t testing.TB, dir string, o sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), dir, o)
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
	tracetest.Run(t, func(t *testing.T) tracetest.Log { return open(t, t.TempDir(), sqlite.Options{}) })
}
