package desktoptest

import (
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"

	"errand/build/must"
)

// Service is a service on a bus that notes how it is called.
type Service struct {
	mu    sync.Mutex
	calls [][]any
}

// StartService starts a service with methods of one interface. A method notes its name and arguments; handle has
// its function, which gets a function that does that.
func StartService(t testing.TB, address, name, path, iface string, handle func(note func(call ...any)) map[string]any) *Service {
	t.Helper()
	s := &Service{}
	c := Connect(t, address, name)
	must.Succeed(t, c.ExportMethodTable(handle(s.note), dbus.ObjectPath(path), iface))
	return s
}

func (s *Service) note(call ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
}

// Calls are the calls so far, each a name and arguments.
func (s *Service) Calls() [][]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([][]any{}, s.calls...)
}
