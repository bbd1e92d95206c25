package agent

import (
	"context"
	"slices"
	"strings"

	"errand/host/desktop/keyring"
	"errand/host/tool"
	"errand/planner/message"
)

// KeyState says whether a provider's key is there.
type KeyState string

// States of keys.
const (
	KeyPresent  KeyState = "present"
	KeyMissing  KeyState = "missing"
	KeyLocked   KeyState = "locked" // the desktop asks for the password of the keyring when it is read
	KeyUnneeded KeyState = "unneeded"
)

// findKey reports whether a provider has its key, and why not if that is not plain. It never asks
// the user.
func (p *Providers) findKey(ctx context.Context, name string) (KeyState, message.Message) {
	source := p.Config.LLM.Provider(name).KeySource()
	switch {
	case source.Secret != "":
		state, err := keyring.Find(ctx, source.Secret)
		switch {
		case err != nil:
			return KeyMissing, message.FromError(err)
		case state == keyring.Locked:
			return KeyLocked, message.Message{}
		case state == keyring.Missing:
			return KeyMissing, message.Message{}
		}
		return KeyPresent, message.Message{}
	case source.Variable == "":
		return KeyUnneeded, message.Message{}
	case p.variable(source.Variable) == "":
		return KeyMissing, message.Message{}
	}
	return KeyPresent, message.Message{}
}

// readKey returns a provider's key; "" if it needs none. The desktop may ask the user to unlock it.
// The error has the code agent_no_provider.
func (p *Providers) readKey(ctx context.Context, name string) (string, error) {
	source := p.Config.LLM.Provider(name).KeySource()
	key := ""
	switch {
	case source.Secret != "":
		secret, err := keyring.Read(ctx, source.Secret)
		if err != nil {
			return "", tool.UnavailableError(CodeNoProvider, message.FromError(err)).WithHint(tool.AsError(err).Hint)
		}
		key = strings.TrimSpace(secret)
	case source.Variable == "":
		return "", nil
	default:
		key = p.variable(source.Variable)
	}
	switch {
	case key == "":
		return "", noKeys(source.String())
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return "", tool.UnavailableError(CodeNoProvider, message.New("agent.bad_key", "variable", source.String()))
	}
	return key, nil
}

// variable returns the value of an environment variable, without spaces around it.
func (p *Providers) variable(name string) string {
	for _, line := range slices.Backward(p.Env) { // the last one counts
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// noKeys makes the error for missing keys, by their sources.
func noKeys(sources ...string) *tool.Error {
	hint := message.New("agent.no_key_hint", "variable", sources[0])
	if name, ok := strings.CutPrefix(sources[0], "secret:"); ok {
		hint = message.New("keyring.store_hint", "name", name)
	}
	return tool.UnavailableError(CodeNoProvider, message.New("agent.no_key", "variables", sources)).WithHint(hint)
}

// StoreCommand is the command that stores the provider's key where it is looked for. It is empty if that is
// not the secret service. Errand itself takes no key.
func (p Provider) StoreCommand() string {
	if p.Secret == "" {
		return ""
	}
	return strings.Join([]string{"secret-tool", "store", "--label=" + p.Secret, "service", "errand", "username", p.Secret}, " ")
}
