// Package display describes how tools, their calls and their results are shown
// to people. The description is part of a tool's spec, so nothing else needs to
// know the tool's name:
//
//	Display: display.Tool{
//		Summary:  display.OneOf("filter"),
//		View:     display.View{Kind: display.List, Key: "links", Label: "text"},
//		NotFound: true,
//	}.Named("browser.links")
//
// The bundled plugins have the same in a TOML file, which [Parse] reads.
//
// The texts are messages of the area "tool", by the tool's name:
//
//	tool.browser.links.title
//	tool.browser.links.summary.filter     with the parameter filter
//	tool.browser.links.empty
//	tool.browser.links.not_found          with the parameter sought
//
// [Tool.Texts] lists those of a tool.
package display

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"errand/planner/message"
)

// Tool says how one tool is shown. The zero Tool is one that says nothing: its
// calls are shown by its name, and its results as [Auto].
type Tool struct {
	// Title is what the tool does. It is also the summary of a call that has none
	// of the arguments that Summary names. It is zero if the tool has no texts.
	Title message.Message `toml:"-" json:"title,omitzero"`
	// Summary has the arguments of the one-line summaries of calls. The first one
	// whose arguments a call has is taken.
	Summary [][]string `toml:"summary" json:"summary,omitempty"`
	// Internal has arguments that summaries and drafts leave out, such as a condition
	// that can only make the call do less. JSON and verbose output have them.
	Internal []string `toml:"internal" json:"internal,omitempty"`
	// Deletes is an argument that lists what the call deletes: objects whose "name" is a path
	// below the argument "path", or empty for that path itself. Summaries and drafts show
	// these paths.
	Deletes string `toml:"deletes" json:"deletes,omitempty"`
	// Lists says that an argument that is a list of texts is shown as them.
	Lists bool `toml:"lists" json:"lists,omitempty"`
	// Locators says that an argument that is an object names an element of a page.
	Locators bool `toml:"locators" json:"locators,omitempty"`

	View View `toml:"view" json:"view,omitzero"`
	// EmptyPart says that there is a text for an element that has nothing to show,
	// and NotFound that there is one for a result without what the call sought.
	EmptyPart bool `toml:"empty_part" json:"empty_part,omitempty"`
	NotFound  bool `toml:"not_found" json:"not_found,omitempty"`
}

// View says how a result is shown.
type View struct {
	Kind Kind `toml:"kind" json:"kind,omitempty"`
	// Key of the payload that holds the text, the list or the rows.
	Key string `toml:"key" json:"key,omitempty"`
	// Messages are the keys of the payload that hold messages of Errand. An object
	// elsewhere in a payload is data, whatever it looks like.
	Messages []string `toml:"messages" json:"messages,omitempty"`
	// Label is the key of a list's item that holds its text.
	Label string `toml:"label" json:"label,omitempty"`
	// Params are the keys of the payload that a sentence names.
	Params []string `toml:"params" json:"params,omitempty"`
	// Variant is a key of the payload. Where it is true, a sentence has the text of that
	// name in place of "result".
	Variant string `toml:"variant" json:"variant,omitempty"`
	// Passing says that a result is left out where a later step shows something of
	// the page that this one opened.
	Passing bool `toml:"passing" json:"passing,omitempty"`
	// Last says that a result is shown only where the run ends with it.
	Last bool `toml:"last" json:"last,omitempty"`
}

// Kind is the kind of a [View].
type Kind string

// Kinds of views. All but Auto, Page, Sentence and Entries show something of a page.
const (
	Auto     Kind = ""         // by the keys of the payload: text, title, url, path, app, hash
	Page     Kind = "page"     // a page that was opened
	Lines    Kind = "text"     // a text of several lines
	List     Kind = "list"     // numbered items, with the URL of each
	Table    Kind = "table"    // rows of cells
	Picture  Kind = "picture"  // the first artifact
	Document Kind = "document" // the first artifact
	File     Kind = "file"     // a file that was saved
	Sentence Kind = "sentence" // the tool's text "result" with values of the payload
	Entries  Kind = "entries"  // files and folders with their sizes and times
	Nothing  Kind = "none"     // nothing is shown
)

var kinds = []Kind{Auto, Page, Lines, List, Table, Picture, Document, File, Sentence, Entries, Nothing}

// ShowsPage reports whether the view shows something of a page that an earlier
// step opened, or something made of it.
func (k Kind) ShowsPage() bool { return k != Auto && k != Page && k != Sentence && k != Entries }

// mayBeEmpty reports whether the view may have nothing to show, for which there is
// a text.
func (k Kind) mayBeEmpty() bool { return k == Lines || k == List || k == Table || k == Entries }

// hasArtifact reports whether the view introduces an artifact with a text.
func (k Kind) hasArtifact() bool { return k == Picture || k == Document }

// MessageIn returns the payload's value of a key as a message. It is zero if the key holds
// no messages, or the value is not a message.
func (t Tool) MessageIn(key string, value any) message.Message {
	if _, ok := value.(map[string]any); !ok || !slices.Contains(t.View.Messages, key) {
		return message.Message{}
	}
	return message.FromPlain(value)
}

// WithName returns t with the title of the tool with that name.
func (t Tool) WithName(name string) Tool {
	t.Title = message.New("tool." + name + ".title")
	return t
}

// OneOf returns summaries of one argument each, for [Tool.Summary].
func OneOf(args ...string) [][]string {
	summaries := make([][]string, len(args))
	for i, arg := range args {
		summaries[i] = []string{arg}
	}
	return summaries
}

// Say makes one of the tool's messages: "empty", "result", …, with pairs of a
// parameter's name and value.
func (t Tool) Say(key string, pairs ...any) message.Message {
	return message.New(strings.TrimSuffix(t.Title.Code, "title")+key, pairs...)
}

// Summarize makes the summary of a call with arguments of one of the lists of
// [Tool.Summary]. The values are pairs of an argument's name and its text.
func (t Tool) Summarize(args []string, values ...any) message.Message {
	return t.Say(summaryKey(args), values...)
}

// DeletedArgs stand for the argument [Tool.Deletes] in [Tool.Summarize]. The text has the
// parameters paths, more (paths) and count (of what is in them).
var DeletedArgs = []string{"deleted"}

func summaryKey(args []string) string { return "summary." + strings.Join(args, "_and_") }

// Texts lists the codes of the tool's messages with the names of their parameters.
func (t Tool) Texts() map[string][]string {
	all := map[string][]string{t.Title.Code: nil}
	for _, args := range t.Summary {
		all[t.Summarize(args).Code] = args
	}
	for key, has := range map[string]bool{"result": t.View.Kind.hasArtifact(), "empty": t.View.Kind.mayBeEmpty(), "empty_part": t.EmptyPart, "not_found": t.NotFound} {
		if has {
			all[t.Say(key).Code] = map[string][]string{"result": {"path"}, "not_found": {"sought"}}[key]
		}
	}
	if t.Deletes != "" {
		all[t.Summarize(DeletedArgs).Code] = []string{"count", "more", "paths"}
	}
	if t.View.Kind == Sentence {
		all[t.Say("result").Code] = t.View.Params
		if t.View.Variant != "" {
			all[t.Say(t.View.Variant).Code] = t.View.Params
		}
	}
	return all
}

// Parse reads a display.toml: tools by their names.
func Parse(b []byte) (map[string]Tool, error) {
	var tools map[string]Tool
	if err := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(&tools); err != nil {
		return nil, fmt.Errorf("read display.toml: %w", err)
	}
	for name, t := range tools {
		if err := t.Check(); err != nil {
			return nil, fmt.Errorf("read display.toml: %s: %w", name, err)
		}
		tools[name] = t.WithName(name)
	}
	return tools, nil
}

// Lazy returns a function that parses a display.toml, which is part of the
// program, at its first call.
func Lazy(b []byte) func() map[string]Tool {
	return sync.OnceValue(func() map[string]Tool {
		tools, err := Parse(b)
		if err != nil {
			panic(err)
		}
		return tools
	})
}
