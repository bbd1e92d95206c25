package sqlite_test

import (
	"testing"
	"time"

	"errand/build/must"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/store/storetest"
)

func open(t testing.TB, dir string, o sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), dir, o)
	must.Succeed(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestStore runs the contract of the interfaces on SQLite.
func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, now func() time.Time) func() store.Store {
		dir := t.TempDir()
		t.Cleanup(func() { checkIntegrity(t, dir) })
		return func() store.Store { return open(t, dir, sqlite.Options{Now: now}) }
	})
}
