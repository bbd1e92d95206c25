// Package keyring reads secrets of the user from the desktop's secret service
// (org.freedesktop.secrets), such as GNOME Keyring or KWallet. It stores and changes nothing there.
//
// A secret has the attributes service=errand and username=NAME, as `secret-tool store --label=NAME
// service errand username NAME` and `keyring set errand NAME` write them.
package keyring

import (
	"context"
	"errors"
	"time"

	"errand/host/desktop/bus"
	"errand/host/tool"
	"errand/planner/message"
)

// Codes of errors.
const (
	CodeNoService = "no_secret_service" // the desktop has none, or it does not answer
	CodeNotFound  = "secret_not_found"
	CodeLocked    = "secret_locked" // the user did not unlock it
)

// State says whether the service has a secret.
type State string

// States.
const (
	Unlocked State = "unlocked"
	Locked   State = "locked" // reading it asks the user for the keyring's password
	Missing  State = "missing"
)

const (
	service  = "org.freedesktop.secrets"
	root     = "/org/freedesktop/secrets"
	iface    = "org.freedesktop.Secret."
	noPrompt = "/"

	// answerTimeout bounds what the service does by itself, promptTimeout how long the user is asked.
	answerTimeout = 5 * time.Second
	promptTimeout = 2 * time.Minute
)

// Find reports whether the service has a secret. It does not read it and never asks the user.
func Find(ctx context.Context, name string) (State, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	c, err := bus.Session(ctx)
	if err != nil {
		return Missing, err
	}
	defer c.Close()
	unlocked, locked, err := search(ctx, c, name)
	switch {
	case err != nil:
		return Missing, err
	case len(unlocked) > 0:
		return Unlocked, nil
	case len(locked) > 0:
		return Locked, nil
	}
	return Missing, nil
}

// Read returns a secret. If it is locked, the service asks the user to unlock it, for two minutes at
// most. Of several secrets with one name it returns the first that is unlocked. Errors are
// *[tool.Error] and never have the secret.
func Read(ctx context.Context, name string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, promptTimeout)
	defer cancel()
	c, err := bus.Session(ctx)
	if err != nil {
		return "", err
	}
	defer c.Close()
	asking, stop := context.WithTimeout(ctx, answerTimeout)
	defer stop()
	unlocked, locked, err := search(asking, c, name)
	if err != nil {
		return "", err
	}
	if len(unlocked) == 0 && len(locked) > 0 {
		if unlocked = locked[:1]; unlock(ctx, c, unlocked...) != nil {
			return "", tool.UnavailableError(CodeLocked, message.New("keyring.locked", "name", name))
		}
	}
	if len(unlocked) == 0 {
		return "", tool.UnavailableError(CodeNotFound, message.New("keyring.not_found", "name", name)).WithHint(message.New("keyring.store_hint", "name", name))
	}
	return read(ctx, c, unlocked[0])
}

// search lists the items with a name.
func search(ctx context.Context, c *bus.Conn, name string) (unlocked, locked []string, err error) {
	out, err := c.Object(service, root).Call(ctx, iface+"Service.SearchItems", map[string]string{"service": "errand", "username": name})
	if err != nil {
		return nil, nil, unavailable(err)
	}
	if len(out) != 2 {
		return nil, nil, unavailable(errors.New("SearchItems"))
	}
	return texts(out[0]), texts(out[1]), nil
}

// errDismissed means that the user did not unlock an item.
var errDismissed = errors.New("dismissed")

// unlock has the service unlock items. It asks the user if it needs a password.
func unlock(ctx context.Context, c *bus.Conn, items ...string) error {
	out, err := c.Object(service, root).Call(ctx, iface+"Service.Unlock", bus.Paths(items...))
	if err != nil || len(out) != 2 {
		return errors.Join(err, errDismissed)
	}
	path, _ := out[1].(string)
	if path == noPrompt || path == "" {
		return nil
	}
	done, err := c.Subscribe(path, iface+"Prompt", "Completed")
	if err != nil {
		return err
	}
	if _, err := c.Object(service, path).Call(ctx, iface+"Prompt.Prompt", ""); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err() // the question ends with the connection
	case args, ok := <-done:
		if dismissed, _ := first(args).(bool); !ok || dismissed {
			return errDismissed
		}
		return nil
	}
}

// read gets the secret of an unlocked item. The bus is a local socket, so the secret is not
// encrypted on its way.
func read(ctx context.Context, c *bus.Conn, item string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	out, err := c.Object(service, root).Call(ctx, iface+"Service.OpenSession", "plain", bus.Variant(""))
	if err != nil || len(out) != 2 {
		return "", unavailable(err)
	}
	session, _ := out[1].(string)
	defer func() { _, _ = c.Object(service, session).Call(ctx, iface+"Session.Close") }() // it ends with the connection, too
	out, err = c.Object(service, item).Call(ctx, iface+"Item.GetSecret", bus.Path(session))
	if err != nil {
		return "", unavailable(err)
	}
	secret, _ := first(out).([]any) // session, parameters, value, content type
	if len(secret) != 4 {
		return "", unavailable(errors.New("GetSecret"))
	}
	value, _ := secret[2].([]byte)
	return string(value), nil
}

func unavailable(err error) error {
	if err == nil {
		err = errors.New("answer")
	}
	e := tool.UnavailableError(CodeNoService, message.New("keyring.no_service", "missing", bus.IsMissing(err), "cause", err))
	return e.WithHint(message.New("keyring.no_service_hint"))
}

func first(values []any) any {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

func texts(list any) (out []string) {
	all, _ := list.([]any)
	for _, v := range all {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
