package wasm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"strconv"
	"strings"
	"unicode"

	"errand/host/filestate"
	"errand/host/tool"
	"errand/host/wasm/limit"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// maxListed limits the names in the note of a forecast.
const maxListed = 10

// previewer forecasts the calls of a tool. A reading tool of the plugin gets the arguments
// that it knows and lists what the call would use, for example the files in an archive. A
// call that may replace files replaces those that exist in a folder that it writes to and
// have a listed name, or all of them without a complete list.
type previewer struct {
	tool manifest.Tool
	spec tool.Spec
	look *pluginTool // nil: nothing is listed
}

// previewedTool and previewedReconcilable are the two kinds of tools with a preview.
type (
	previewedTool struct {
		*pluginTool
		previewer
	}
	previewedReconcilable struct {
		*reconcilableTool
		previewer
	}
)

var (
	_ tool.Forecaster = previewedTool{}
	_ tool.Forecaster = previewedReconcilable{}
	_ tool.Reconciler = previewedReconcilable{}
)

// Forecast implements [tool.Forecaster]. If the list can't be made, the note says why: an
// earlier action may still make what is missing.
func (p previewer) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	f := tool.Forecast{Reversible: p.spec.Reversible}
	var l listing
	if p.look != nil {
		var err error
		if l, err = p.list(ctx, call); err != nil {
			return f, err
		}
		f.Identity, f.Note = l.identity, l.note()
		if l.err != nil && strings.HasPrefix(l.err.Message.Code, bundledArea) { // another plugin's preview may lack what its call has
			f.Problem = l.err
		}
	}
	if !p.tool.MayReplace(call.Args) {
		return f, nil
	}
	r, err := filestate.Replaceable(ctx, p.spec, call, l.files(), !l.isComplete())
	if err != nil {
		return f, err
	}
	f.Identity += " " + r.Digest
	if r.Count > 0 {
		f.Destroys, f.Count, f.Reversible = r.Paths, r.Count, false
		for i, path := range f.Destroys {
			f.Destroys[i] = printable(path)
		}
		code := "plugin.replaces"
		if r.Maybe {
			code = "plugin.may_replace"
		}
		f.Note = withNote(f.Note, message.New(code, "count", r.Count))
	}
	return f, nil
}

// listing is what a preview listed.
type listing struct {
	Count   int `json:"count"`
	Entries []struct {
		Name string `json:"name"`
		Type string `json:"type"`
	} `json:"entries"`
	bytes    float64     // size of all entries; 0 if the answer has no number for it
	identity string      // digest of the whole answer; empty: there is no list
	err      *tool.Error // why there is no list
}

// list calls the preview. The error is only about the forecast as a whole; what the preview
// reports is in the listing.
func (p previewer) list(ctx context.Context, call tool.Call) (l listing, err error) {
	var known struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(p.look.spec.ArgsSchema, &known); err != nil {
		return l, err
	}
	look := call
	look.Tool, look.Key, look.Args = p.look.spec.Name, "", maps.Clone(call.Args)
	maps.DeleteFunc(look.Args, func(name string, _ any) bool { _, ok := known.Properties[name]; return !ok })
	if denied := tool.PermitPreview(ctx, p.look.spec, look); denied != nil {
		l.err = denied
		return l, nil
	}
	r, err := p.look.preview().Call(ctx, look)
	if err == nil && r.Error != nil {
		err = r.Error
	}
	if ctx.Err() != nil {
		return l, ctx.Err()
	}
	if err != nil {
		l.err = tool.AsError(err)
		return l, nil
	}
	b, err := json.Marshal(r.Payload)
	if err != nil {
		return l, err
	}
	return parseListing(b)
}

// parseListing parses a preview's answer, with at most [limit.PreviewEntries] of its entries.
func parseListing(b []byte) (l listing, err error) {
	sum := sha256.Sum256(b)
	l.identity = hex.EncodeToString(sum[:])
	err = json.Unmarshal(b, &l)
	var size struct {
		Bytes float64 `json:"bytes"`
	}
	if json.Unmarshal(b, &size) == nil { // another plugin may mean something else by it
		l.bytes = size.Bytes
	}
	l.Count = max(l.Count, len(l.Entries))
	l.Entries = l.Entries[:min(limit.PreviewEntries, len(l.Entries))]
	return l, err
}

// isComplete reports whether every entry is listed.
func (l listing) isComplete() bool { return l.identity != "" && l.Count <= len(l.Entries) }

// files returns the names of the entries that are files. An entry without a type is one.
func (l listing) files() (names []string) {
	for _, e := range l.Entries {
		if e.Type == "" || e.Type == "file" {
			names = append(names, e.Name)
		}
	}
	return names
}

func (l listing) note() message.Message {
	if l.err != nil {
		return message.New("plugin.contents_unknown", "cause", l.err.Message)
	}
	names := []string{}
	for _, e := range l.Entries[:min(maxListed, len(l.Entries))] {
		names = append(names, printable(e.Name))
	}
	size := int64(max(0, min(l.bytes, math.MaxInt64/2)))
	return message.New("plugin.contents", "count", l.Count, "names", names, "more", l.Count-len(names), "bytes", size)
}

// withNote adds a sentence to a note, which may be empty.
func withNote(note, more message.Message) message.Message {
	if note.IsZero() {
		return more
	}
	return message.New("plugin.notes", "note", note, "more", more)
}

// printable quotes a name that would break a line or change the writing direction.
func printable(name string) string {
	for _, r := range name {
		if !unicode.IsGraphic(r) || r == unicode.ReplacementChar {
			return strconv.Quote(name)
		}
	}
	return name
}
