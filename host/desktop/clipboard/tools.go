// Package clipboard has the tools that set and read the text of the clipboard. They use the programs
// of wl-clipboard under Wayland, and xclip or xsel under X11: the owner of a clipboard has to stay,
// and Errand ends.
package clipboard

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"errand/host/desktop/program"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Names of the tools.
const (
	SetName  = "desktop.set_clipboard"
	ReadName = "desktop.read_clipboard"
)

const (
	setSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 65536}},
  "required": ["text"],
  "additionalProperties": false
}`
	readSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {},
  "additionalProperties": false
}`
)

// maxText is the longest text that is read, in bytes.
const maxText = 64 << 10

// passwordHint is the type that password managers add to what they copy.
const passwordHint = "x-kde-passwordManagerHint"

// board is a way to the clipboard.
type board struct {
	display          string   // the environment variable of its display
	copier, paster   string   // programs
	copyArgs, types  []string // types are the arguments that list the types of the content; nil: the program can't
	pasteArgs        []string
	copyPath, pasted string // their paths, found
}

var boards = []board{
	{display: "WAYLAND_DISPLAY", copier: "wl-copy", paster: "wl-paste", copyArgs: []string{"--type", "text/plain;charset=utf-8"}, types: []string{"--list-types"}, pasteArgs: []string{"--no-newline", "--type", "text"}},
	{display: "DISPLAY", copier: "xclip", paster: "xclip", copyArgs: []string{"-selection", "clipboard", "-in"}, types: []string{"-selection", "clipboard", "-out", "-target", "TARGETS"}, pasteArgs: []string{"-selection", "clipboard", "-out", "-target", "UTF8_STRING"}},
	{display: "DISPLAY", copier: "xsel", paster: "xsel", copyArgs: []string{"--clipboard", "--input"}, pasteArgs: []string{"--clipboard", "--output"}},
}

// Tools returns desktop.set_clipboard and desktop.read_clipboard. lookPath finds a program.
func Tools(lookPath func(name string) (string, error)) []tool.Tool {
	f := finder{lookPath}
	return []tool.Tool{
		tool.Func(tool.Spec{
			Name: SetName, Description: "Put a text on the clipboard.", ArgsSchema: []byte(setSchema), TimeoutMS: 10_000,
			RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectInput,
			CanAchieve: []string{"set_clipboard"}, Effects: []string{"clipboard_set"}, Source: "builtin",
			Display: display.Tool{Summary: display.OneOf("text"), View: display.View{Kind: display.Sentence, Params: []string{"text"}}}.WithName(SetName),
		}, f.set),
		tool.Func(tool.Spec{
			Name: ReadName, Description: "Read the text of the clipboard, which others may have written. Text of a password manager is refused.", ArgsSchema: []byte(readSchema), TimeoutMS: 10_000,
			RetryProfile: tool.RetryNone, SideEffectClass: tool.Auth, Effect: tool.EffectRead, Untrusted: true,
			CanAchieve: []string{"read_clipboard"}, Effects: []string{"clipboard_read"}, Source: "builtin",
			Display: display.Tool{View: display.View{Kind: display.Lines, Key: "text"}}.WithName(ReadName),
		}, f.read),
	}
}

// finder finds the programs.
type finder struct {
	lookPath func(name string) (string, error)
}

func (f finder) find() (board, *tool.Error) {
	hasDisplay := false
	for _, b := range boards {
		if os.Getenv(b.display) == "" {
			continue
		}
		hasDisplay = true
		var copyErr, pasteErr error
		b.copyPath, copyErr = f.lookPath(b.copier)
		b.pasted, pasteErr = f.lookPath(b.paster)
		if copyErr == nil && pasteErr == nil {
			return b, nil
		}
	}
	if !hasDisplay {
		return board{}, tool.UnavailableError("no_display", message.New("desktop.no_display")).WithHint(message.New("desktop.needs_session"))
	}
	return board{}, tool.UnavailableError("no_clipboard_program", message.New("desktop.no_clipboard_program")).WithHint(message.New("desktop.install_clipboard"))
}

func (f finder) set(ctx context.Context, call tool.Call) (tool.Result, error) {
	text, _ := call.Args["text"].(string)
	b, fault := f.find()
	if fault != nil {
		return tool.Result{Error: fault}, nil
	}
	if err := program.Feed(ctx, b.copyPath, text, b.copyArgs...); err != nil {
		return failed(err), nil
	}
	b.awaitText(ctx, text)
	return tool.OK(map[string]any{"text": text}), nil
}

// settleTimeout limits how long the program that keeps the text may take to own the clipboard.
const settleTimeout = 2 * time.Second

// awaitText waits until the clipboard holds a text. A program that keeps it returns before it owns the
// clipboard, and a reader would get what was there before.
func (b board) awaitText(ctx context.Context, text string) {
	ctx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	for ctx.Err() == nil {
		if held, err := program.Run(ctx, b.pasted, "", b.pasteArgs...); err == nil && held == text {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// read returns the text of the clipboard, for the user and the record only.
func (f finder) read(ctx context.Context, _ tool.Call) (tool.Result, error) {
	b, fault := f.find()
	if fault != nil {
		return tool.Result{Error: fault}, nil
	}
	if b.types == nil {
		return tool.Result{Error: tool.UnavailableError("no_clipboard_program", message.New("desktop.clipboard_unlabelled", "program", b.paster)).WithHint(message.New("desktop.install_clipboard"))}, nil
	}
	if types, err := b.readTypes(ctx); ctx.Err() == nil && err != nil { // it has no owner
		return content(""), nil
	} else if fault := checkTypes(ctx, types); fault != nil {
		return tool.Result{Error: fault}, nil
	}
	text, err := program.Run(ctx, b.pasted, "", b.pasteArgs...)
	if err != nil {
		return failed(err), nil
	}
	types, err := b.readTypes(ctx) // another program may have taken the clipboard before the text was read
	if fault := checkTypes(ctx, types); fault != nil || err != nil {
		return tool.Result{Error: cmp.Or(fault, tool.AsError(err))}, nil
	}
	return content(text), nil
}

func (b board) readTypes(ctx context.Context) (string, error) {
	return program.Run(ctx, b.pasted, "", b.types...)
}

// checkTypes refuses what is not text, and text of a password manager.
func checkTypes(ctx context.Context, types string) *tool.Error {
	switch {
	case ctx.Err() != nil:
		return tool.AsError(ctx.Err())
	case strings.Contains(types, passwordHint):
		return tool.NewError(tool.PolicyDenied, "clipboard_has_password", message.New("desktop.clipboard_has_password"))
	case !strings.Contains(types, "text") && !strings.Contains(types, "STRING"):
		return tool.NewError(tool.ExecutionError, "clipboard_not_text", message.New("desktop.clipboard_not_text"))
	}
	return nil
}

// content is the result of reading a text. A long one is cut.
func content(text string) tool.Result {
	text = strings.ToValidUTF8(text, "\uFFFD")
	cut := len(text) > maxText
	if cut {
		end := maxText
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	r := tool.OK(map[string]any{"text": text, "truncated": cut})
	r.UserOnlyKeys = []string{"text"}
	return r
}

func failed(err error) tool.Result {
	if fault := tool.AsError(err); fault.Class == tool.ToolTimeout {
		return tool.Result{Error: fault}
	}
	return tool.Fail(tool.ExecutionError, "clipboard_failed", message.New("desktop.clipboard_failed", "cause", err))
}
