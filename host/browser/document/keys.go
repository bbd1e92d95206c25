package document

import (
	"context"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/tool"
	"errand/planner/message"
)

// Key is a key of the keyboard (W3C UI Events).
type Key struct {
	Name string // KeyboardEvent.key
	code string // KeyboardEvent.code
	vk   int    // the legacy virtual key code
	Text string // the text that it types
}

// Keys returns the keys by their names. Don't change the result.
var Keys = sync.OnceValue(func() map[string]Key {
	keys := map[string]Key{}
	for _, k := range []Key{
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
		keys[k.Name] = k
	}
	for c := 'a'; c <= 'z'; c++ {
		up := string(c - 'a' + 'A')
		keys[string(c)] = Key{string(c), "Key" + up, int(c - 'a' + 'A'), string(c)}
		keys[up] = Key{up, "Key" + up, int(c - 'a' + 'A'), up}
	}
	for c := '0'; c <= '9'; c++ {
		keys[string(c)] = Key{string(c), "Digit" + string(c), int(c), string(c)}
	}
	return keys
})

// KeyOf returns the key that types a character.
func KeyOf(r rune) Key {
	if k, ok := Keys()[string(r)]; ok {
		return k
	}
	return Key{Name: string(r), Text: string(r)}
}

// Event describes the key for events that a script dispatches.
func (k Key) Event() map[string]any {
	return map[string]any{"name": k.Name, "code": k.code, "vk": k.vk}
}

// Modifiers are the modifier bits of the protocol.
var Modifiers = map[string]int{"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}

// ReadKey parses "Enter", "a" or "Control+Shift+K".
func ReadKey(s string) (k Key, modifiers int, err error) {
	parts := strings.Split(s, "+")
	if s == "+" || strings.HasSuffix(s, "++") {
		parts = append(strings.Split(strings.TrimSuffix(strings.TrimSuffix(s, "+"), "+"), "+"), "+")
		if s == "+" {
			parts = []string{"+"}
		}
	}
	last := parts[len(parts)-1]
	for _, p := range parts[:len(parts)-1] {
		bit, ok := Modifiers[p]
		if !ok || modifiers&bit != 0 {
			return Key{}, 0, badKey(s)
		}
		modifiers |= bit
	}
	if last == " " {
		last = "Space"
	}
	k, ok := Keys()[last]
	if !ok {
		if utf8.RuneCountInString(last) != 1 || last < " " {
			return Key{}, 0, badKey(s)
		}
		k = Key{Name: last, Text: last}
	}
	if k.Name == "Space" {
		k.Name = " "
	}
	if modifiers&^Modifiers["Shift"] != 0 {
		k.Text = "" // shortcuts type nothing
	}
	return k, modifiers, nil
}

func badKey(s string) *tool.Error {
	return tool.NewError(tool.ValidationError, "bad_key", message.New("browser.unknown_key", "key", address.Clip(s))).
		WithHint(message.New("browser.list_keys"))
}

// Key presses and releases a key.
func (d *Document) Key(ctx context.Context, k Key, modifiers int) error {
	down := proto.InputDispatchKeyEvent{
		Type: proto.InputDispatchKeyEventTypeRawKeyDown, Modifiers: modifiers,
		Key: k.Name, Code: k.code, WindowsVirtualKeyCode: k.vk,
	}
	if k.Text != "" {
		down.Type, down.Text, down.UnmodifiedText = proto.InputDispatchKeyEventTypeKeyDown, k.Text, k.Text
	}
	if modifiers == Modifiers["Control"] && k.code == "KeyA" {
		down.Commands = []string{"selectAll"} // headless Chromium has no menu that handles the shortcut
	}
	if err := down.Call(d.Call(ctx, chromium.CallTimeout)); err != nil {
		return err
	}
	return proto.InputDispatchKeyEvent{
		Type: proto.InputDispatchKeyEventTypeKeyUp, Modifiers: modifiers, Key: k.Name, Code: k.code, WindowsVirtualKeyCode: k.vk,
	}.Call(d.Call(ctx, chromium.CallTimeout))
}
