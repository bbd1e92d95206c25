package desktoptest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"

	"errand/build/must"
)

// Secrets is a secret service on a bus (org.freedesktop.secrets). Its keyring can be locked; then
// reading asks for its password, which the test answers.
type Secrets struct {
	c *dbus.Conn

	mu       sync.Mutex
	values   map[string]string // by user name
	locked   bool
	dismiss  bool // the user closes the question for the password
	silent   bool // the user does not answer it
	prompted int
	sessions int // that are open
}

const secretsPath = "/org/freedesktop/secrets"

// StartSecrets starts a secret service with secrets of the service "errand", by their names.
func StartSecrets(t testing.TB, address string, values map[string]string) *Secrets {
	t.Helper()
	s := &Secrets{c: Connect(t, address, "org.freedesktop.secrets"), values: values}
	export := func(path, iface string, methods map[string]any) {
		must.Succeed(t, s.c.ExportMethodTable(methods, dbus.ObjectPath(path), "org.freedesktop.Secret."+iface))
	}
	export(secretsPath, "Service", map[string]any{"SearchItems": s.search, "Unlock": s.unlock, "OpenSession": s.openSession})
	export(secretsPath+"/session/1", "Session", map[string]any{"Close": s.closeSession})
	export(secretsPath+"/prompt/1", "Prompt", map[string]any{"Prompt": s.prompt})
	for name := range values {
		export(string(itemPath(name)), "Item", map[string]any{"GetSecret": func(session dbus.ObjectPath) (secret, *dbus.Error) { return s.read(name, session) }})
	}
	return s
}

// secret is the structure (oayays) of the protocol.
type secret struct {
	Session     dbus.ObjectPath
	Parameters  []byte
	Value       []byte
	ContentType string
}

func itemPath(name string) dbus.ObjectPath {
	return dbus.ObjectPath(fmt.Sprintf("%s/collection/login/%x", secretsPath, name))
}

// Lock locks the keyring. answer is what the user does when asked for its password: "unlock",
// "dismiss" or "nothing".
func (s *Secrets) Lock(answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locked, s.dismiss, s.silent = true, answer == "dismiss", answer == "nothing"
}

// Prompted is how often the user was asked, and Sessions how many sessions are open.
func (s *Secrets) Prompted() (prompted, sessions int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.prompted, s.sessions
}

func (s *Secrets) search(attributes map[string]string) (unlocked, locked []dbus.ObjectPath, fault *dbus.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	unlocked, locked = []dbus.ObjectPath{}, []dbus.ObjectPath{}
	name := attributes["username"]
	if _, ok := s.values[name]; !ok || attributes["service"] != "errand" {
		return unlocked, locked, nil
	}
	if s.locked {
		return unlocked, append(locked, itemPath(name)), nil
	}
	return append(unlocked, itemPath(name)), locked, nil
}

func (s *Secrets) unlock([]dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	return []dbus.ObjectPath{}, secretsPath + "/prompt/1", nil
}

func (s *Secrets) prompt(string) *dbus.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prompted++
	if s.silent {
		return nil
	}
	items := []dbus.ObjectPath{}
	if !s.dismiss {
		s.locked = false
		for name := range s.values {
			items = append(items, itemPath(name))
		}
	}
	if err := s.c.Emit(secretsPath+"/prompt/1", "org.freedesktop.Secret.Prompt.Completed", s.dismiss, dbus.MakeVariant(items)); err != nil {
		return dbus.MakeFailedError(err)
	}
	return nil
}

func (s *Secrets) openSession(algorithm string, _ dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if algorithm != "plain" {
		return dbus.Variant{}, "/", dbus.NewError("org.freedesktop.DBus.Error.NotSupported", nil)
	}
	s.sessions++
	return dbus.MakeVariant(""), secretsPath + "/session/1", nil
}

func (s *Secrets) closeSession() *dbus.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions--
	return nil
}

func (s *Secrets) read(name string, session dbus.ObjectPath) (secret, *dbus.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.locked {
		return secret{}, dbus.NewError("org.freedesktop.Secret.Error.IsLocked", []any{"it is locked"})
	}
	return secret{session, []byte{}, []byte(s.values[name]), "text/plain"}, nil
}
