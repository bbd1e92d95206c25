// Package bus calls the services of the desktop over D-Bus. It connects to the session or the system
// bus of this machine when it is first asked to, over a local socket only, and starts no bus.
package bus

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/godbus/dbus/v5"

	"errand/host/tool"
	"errand/planner/message"
)

// Conn is a connection to a bus, for the calls of one tool. It is safe for concurrent use.
type Conn struct{ c *dbus.Conn }

// newest is the address that [UseSession] was last told.
var newest atomic.Value

// UseSession names another session bus, which [Session] tries after that of this process: a process that
// goes on after the session that started it belongs to the session of its newest client.
func UseSession(address string) { newest.Store(address) }

// SessionAddress is the address of the session bus of this process: that of its environment and the usual one,
// with a semicolon between them.
func SessionAddress() string {
	var all []string
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		all = append(all, address)
	}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		all = append(all, "unix:path="+filepath.Join(dir, "bus"))
	}
	return strings.Join(all, ";")
}

// Session connects to the session bus. The error is of type *[tool.Error] and says what is missing.
// The connection ends with ctx or with [Conn.Close].
func Session(ctx context.Context) (*Conn, error) {
	c, err := connect(ctx, SessionAddress())
	if address, _ := newest.Load().(string); err != nil && address != "" {
		c, err = connect(ctx, address)
	}
	if err != nil {
		return nil, tool.NewError(tool.ToolUnavailable, "no_session_bus", message.New("desktop.no_session_bus", "cause", err)).
			WithHint(message.New("desktop.needs_session"))
	}
	return c, nil
}

// System connects to the system bus, like [Session].
func System(ctx context.Context) (*Conn, error) {
	address := os.Getenv("DBUS_SYSTEM_BUS_ADDRESS")
	if address == "" {
		address = "unix:path=/run/dbus/system_bus_socket"
	}
	c, err := connect(ctx, address)
	if err != nil {
		return nil, tool.NewError(tool.ToolUnavailable, "no_system_bus", message.New("desktop.no_system_bus", "cause", err))
	}
	return c, nil
}

// connect tries the addresses of a D-Bus server address, one after the other.
func connect(ctx context.Context, addresses string) (*Conn, error) {
	cause := message.Error("desktop.no_bus_address")
	for address := range strings.SplitSeq(addresses, ";") {
		path, ok := socket(address)
		if !ok {
			continue
		}
		var c *Conn
		if c, cause = dial(ctx, path); cause == nil {
			return c, nil
		}
	}
	return nil, cause
}

// socket is the local socket of an address such as "unix:path=/run/user/1000/bus,guid=…". Addresses
// of other transports, for example tcp, have none.
func socket(address string) (string, bool) {
	options, ok := strings.CutPrefix(address, "unix:")
	if !ok {
		return "", false
	}
	for option := range strings.SplitSeq(options, ",") {
		key, value, _ := strings.Cut(option, "=")
		path, err := dbus.UnescapeBusAddressValue(value)
		switch {
		case err != nil || path == "":
		case key == "path":
			return path, true
		case key == "abstract":
			return "@" + path, true
		}
	}
	return "", false
}

func dial(ctx context.Context, path string) (*Conn, error) {
	var dialer net.Dialer
	raw, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	c, err := dbus.NewConn(raw, dbus.WithContext(ctx))
	if err != nil {
		raw.Close()
		return nil, err
	}
	err = c.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Getuid()))})
	if err == nil {
		err = c.Hello()
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return &Conn{c}, nil
}

// Close ends the connection.
func (c *Conn) Close() { c.c.Close() }

// Names lists the names on the bus that begin with prefix, sorted.
func (c *Conn) Names(ctx context.Context, prefix string) ([]string, error) {
	var all []string
	if err := c.c.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.ListNames", 0).Store(&all); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(name string) bool { return !strings.HasPrefix(name, prefix) })
	slices.Sort(all)
	return all, nil
}

// Object is an object of a service, by its path.
func (c *Conn) Object(service, path string) Object {
	return Object{c.c.Object(service, dbus.ObjectPath(path))}
}

// Object is a remote object. A service that is installed and not running is started by the bus.
type Object struct{ o dbus.BusObject }

// Call calls a method, "interface.Member", and returns its results as plain Go values: maps are
// map[string]any, lists []any, object paths and signatures strings.
func (o Object) Call(ctx context.Context, method string, args ...any) ([]any, error) {
	call := o.o.CallWithContext(ctx, method, 0, args...)
	if call.Err != nil {
		return nil, call.Err
	}
	out := make([]any, len(call.Body))
	for i, v := range call.Body {
		out[i] = plain(v)
	}
	return out, nil
}

// Get reads a property, as [Object.Call] returns values.
func (o Object) Get(ctx context.Context, iface, name string) (any, error) {
	out, err := o.Call(ctx, "org.freedesktop.DBus.Properties.Get", iface, name)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return out[0], nil
}

// Set writes a property.
func (o Object) Set(ctx context.Context, iface, name string, value any) error {
	_, err := o.Call(ctx, "org.freedesktop.DBus.Properties.Set", iface, name, dbus.MakeVariant(value))
	return err
}

// IsMissing reports whether err means that the bus has no such service.
func IsMissing(err error) bool {
	var e dbus.Error
	return errors.As(err, &e) && slices.Contains([]string{
		"org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
		"org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownInterface",
	}, e.Name)
}

// Subscribe returns the signals of an object that arrive from now on, as their arguments. The channel
// holds one signal; others are lost until it is read. It is closed with the connection.
func (c *Conn) Subscribe(path, iface, member string) (<-chan []any, error) {
	if err := c.c.AddMatchSignal(dbus.WithMatchObjectPath(dbus.ObjectPath(path)), dbus.WithMatchInterface(iface), dbus.WithMatchMember(member)); err != nil {
		return nil, err
	}
	raw, out := make(chan *dbus.Signal, 16), make(chan []any, 1)
	c.c.Signal(raw)
	go func() {
		defer close(out)
		for s := range raw {
			if string(s.Path) != path || s.Name != iface+"."+member {
				continue
			}
			args := make([]any, len(s.Body))
			for i, v := range s.Body {
				args[i] = plain(v)
			}
			select {
			case out <- args:
			default:
			}
		}
	}()
	return out, nil
}

// UniqueName is the name that the bus gave the connection, such as ":1.42".
func (c *Conn) UniqueName() string { return c.c.Names()[0] }

// Options are an argument of the type a{sv}.
func Options(values map[string]any) any {
	out := make(map[string]dbus.Variant, len(values))
	for k, v := range values {
		out[k] = dbus.MakeVariant(v)
	}
	return out
}

// Variant is an argument of the type v.
func Variant(value any) any { return dbus.MakeVariant(value) }

// Path is an argument of the type o.
func Path(path string) any { return dbus.ObjectPath(path) }

// Paths are an argument of the type ao.
func Paths(paths ...string) any {
	out := make([]dbus.ObjectPath, len(paths))
	for i, p := range paths {
		out[i] = dbus.ObjectPath(p)
	}
	return out
}

// plain turns a value of the library into plain Go values.
func plain(v any) any {
	switch v := v.(type) {
	case dbus.Variant:
		return plain(v.Value())
	case dbus.ObjectPath:
		return string(v)
	case dbus.Signature:
		return v.String()
	case map[string]dbus.Variant:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = plain(e)
		}
		return out
	case []string:
		return plainList(v)
	case []dbus.ObjectPath:
		return plainList(v)
	case []any: // a structure
		return plainList(v)
	}
	return v
}

func plainList[T any](list []T) []any {
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = plain(e)
	}
	return out
}
