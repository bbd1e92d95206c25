package browser

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/tool"
)

// key is one of the keyboard, as a page is told of it (W3C UI Events).
type key struct {
	name string // KeyboardEvent.key
	code string // KeyboardEvent.code
	vk   int    // the virtual key code that old pages go by
	text string // what it types
}

var keyNamed = map[string]key{}

func init() {
	for _, k := range []key{
		{"Enter", "Enter", 13, "\r"},
		{"Tab", "Tab", 9, ""},
		{"Backspace", "Backspace", 8, ""},
		{"Delete", "Delete", 46, ""},
		{"Escape", "Escape", 27, ""},
		{"Space", "Space", 32, " "},
		{"Home", "Home", 36, ""},
		{"End", "End", 35, ""},
		{"PageUp", "PageUp", 33, ""},
		{"PageDown", "PageDown", 34, ""},
		{"ArrowLeft", "ArrowLeft", 37, ""},
		{"ArrowUp", "ArrowUp", 38, ""},
		{"ArrowRight", "ArrowRight", 39, ""},
		{"ArrowDown", "ArrowDown", 40, ""},
	} {
		keyNamed[k.name] = k
	}
	for c := 'a'; c <= 'z'; c++ {
		up := string(c - 'a' + 'A')
		keyNamed[string(c)] = key{string(c), "Key" + up, int(c - 'a' + 'A'), string(c)}
		keyNamed[up] = key{up, "Key" + up, int(c - 'a' + 'A'), up}
	}
	for c := '0'; c <= '9'; c++ {
		keyNamed[string(c)] = key{string(c), "Digit" + string(c), int(c), string(c)}
	}
}

// Modifiers, as bits of the protocol.
var modifiers = map[string]int{"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}

// readKey reads "Enter", "a" or "Control+Shift+K".
func readKey(s string) (k key, held int, err error) {
	parts := strings.Split(s, "+")
	if s == "+" || strings.HasSuffix(s, "++") {
		parts = append(strings.Split(strings.TrimSuffix(strings.TrimSuffix(s, "+"), "+"), "+"), "+")
		if s == "+" {
			parts = []string{"+"}
		}
	}
	last := parts[len(parts)-1]
	for _, p := range parts[:len(parts)-1] {
		bit, ok := modifiers[p]
		if !ok || held&bit != 0 {
			return key{}, 0, badKey(s)
		}
		held |= bit
	}
	if last == " " {
		last = "Space"
	}
	k, ok := keyNamed[last]
	if !ok {
		if utf8.RuneCountInString(last) != 1 || last < " " {
			return key{}, 0, badKey(s)
		}
		k = key{name: last, text: last}
	}
	if k.name == "Space" {
		k.name = " "
	}
	if held&^modifiers["Shift"] != 0 {
		k.text = "" // a shortcut types nothing
	}
	return k, held, nil
}

func badKey(s string) *tool.Error {
	return tool.Errorf(tool.ValidationError, "bad_key", "there is no key %q", clip(s)).
		WithHint("keys are Enter, Tab, Escape, Space, Backspace, Delete, Home, End, PageUp, PageDown, ArrowUp, ArrowDown, ArrowLeft, ArrowRight and single characters, after Control+, Shift+, Alt+ or Meta+")
}

// key presses a key and lets it go.
func (d *document) key(ctx context.Context, k key, held int) error {
	down := proto.InputDispatchKeyEvent{
		Type: proto.InputDispatchKeyEventTypeRawKeyDown, Modifiers: held,
		Key: k.name, Code: k.code, WindowsVirtualKeyCode: k.vk,
	}
	if k.text != "" {
		down.Type, down.Text, down.UnmodifiedText = proto.InputDispatchKeyEventTypeKeyDown, k.text, k.text
	}
	if held == modifiers["Control"] && k.code == "KeyA" {
		down.Commands = []string{"selectAll"} // without a window there is no menu that knows it
	}
	if err := down.Call(d.call(ctx, callTimeout)); err != nil {
		return err
	}
	return proto.InputDispatchKeyEvent{
		Type: proto.InputDispatchKeyEventTypeKeyUp, Modifiers: held, Key: k.name, Code: k.code, WindowsVirtualKeyCode: k.vk,
	}.Call(d.call(ctx, callTimeout))
}
