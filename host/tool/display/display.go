// Package display describes how tools, their calls and their results are shown
// to people. The description is data: each package of tools has a display.toml,
// with a table for each tool by its name, and nothing outside of that package
// needs to know the name.
//
//	["browser.links"]
//	title = { en = "List the links", ru = "…" }
//	summary = [{ args = ["filter"], text = { en = "List the links with “{filter}”", ru = "…" } }]
//	view = { kind = "list", key = "links", label = "text" }
//	empty = { en = "There are no links on the page.", ru = "…" }
//
// A text has parameters in braces, which are arguments of the call or values of
// the result. Its code is stable: "tool.", the tool's name, "." and the key, such
// as tool.browser.links.summary.filter; [Tool.Texts] lists them.
package display

import (
	"bytes"
	"strings"
	"sync"

	"errand/planner/message"

	"github.com/pelletier/go-toml/v2"
)

// Text is one text by language: "en", "ru".
type Text map[string]string

// In returns the text in a language, else in English. Empty: there is none.
func (t Text) In(language string) string {
	if text, ok := t[language]; ok {
		return text
	}
	return t["en"]
}

// Tool says how one tool is shown. The zero Tool is one that says nothing: its
// calls are shown by its name, and its results as [Auto].
type Tool struct {
	// Title is what the tool does. It is also the summary of a call that has none
	// of the arguments that Summary names.
	Title Text `toml:"title" json:"title,omitempty"`
	// Summary has the one-line summaries of calls. The first one whose arguments a
	// call has is taken.
	Summary []Summary `toml:"summary" json:"summary,omitempty"`
	// Lists says that an argument that is a list of texts is shown as them.
	Lists bool `toml:"lists" json:"lists,omitempty"`
	// Locators says that an argument that is an object names an element of a page.
	Locators bool `toml:"locators" json:"locators,omitempty"`

	View View `toml:"view" json:"view,omitzero"`
	// Result introduces a picture or a document; its parameter is {path}.
	Result Text `toml:"result" json:"result,omitempty"`
	// Empty says that there is nothing to show, EmptyPart that there is nothing in
	// the element that the call named, and NotFound that {sought} is not there.
	Empty     Text `toml:"empty" json:"empty,omitempty"`
	EmptyPart Text `toml:"empty_part" json:"empty_part,omitempty"`
	NotFound  Text `toml:"not_found" json:"not_found,omitempty"`
}

// Summary is a summary of calls that have all of some arguments.
type Summary struct {
	Args []string `toml:"args" json:"args"`
	Text Text     `toml:"text" json:"text"`
}

// View says how a result is shown.
type View struct {
	Kind Kind `toml:"kind" json:"kind,omitempty"`
	// Key of the payload that holds the text, the list or the rows.
	Key string `toml:"key" json:"key,omitempty"`
	// Label is the key of a list's item that holds its text.
	Label string `toml:"label" json:"label,omitempty"`
	// Passing says that a result is left out where a later step shows something of
	// the page that this one opened.
	Passing bool `toml:"passing" json:"passing,omitempty"`
	// Last says that a result is shown only where the run ends with it.
	Last bool `toml:"last" json:"last,omitempty"`
	// Phrases say the payload in words, by the payload's value of Key. A language
	// that has no phrase gets the payload's own text.
	Phrases map[string]Text `toml:"phrases" json:"phrases,omitempty"`
}

// Kind is the kind of a [View].
type Kind string

// Kinds of views. All but Auto, Page and Phrase show something of a page.
const (
	Auto     Kind = ""         // by the keys of the payload: text, title, url, path, app, hash
	Page     Kind = "page"     // a page that was opened
	Lines    Kind = "text"     // a text of several lines
	List     Kind = "list"     // numbered items, with the URL of each
	Table    Kind = "table"    // rows of cells
	Picture  Kind = "picture"  // the first artifact
	Document Kind = "document" // the first artifact
	File     Kind = "file"     // a file that was saved
	Phrase   Kind = "phrase"   // a sentence about the payload
	Nothing  Kind = "none"     // nothing is shown
)

var kinds = []Kind{Auto, Page, Lines, List, Table, Picture, Document, File, Phrase, Nothing}

// ShowsPage reports whether the view shows something of a page that an earlier
// step opened, or something made of it.
func (k Kind) ShowsPage() bool { return k != Auto && k != Page && k != Phrase }

// Texts returns all texts of the tool of this name by their codes.
func (t Tool) Texts(name string) map[string]Text {
	all := map[string]Text{}
	add := func(text Text, keys ...string) {
		if len(text) > 0 {
			all["tool."+name+"."+strings.Join(keys, ".")] = text
		}
	}
	add(t.Title, "title")
	for _, s := range t.Summary {
		add(s.Text, append([]string{"summary"}, s.Args...)...)
	}
	for value, text := range t.View.Phrases {
		add(text, "phrase", value)
	}
	add(t.Result, "result")
	add(t.Empty, "empty")
	add(t.EmptyPart, "empty_part")
	add(t.NotFound, "not_found")
	return all
}

// Parse reads a display.toml: tools by their names.
func Parse(b []byte) (map[string]Tool, error) {
	var tools map[string]Tool
	if err := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(&tools); err != nil {
		return nil, message.Error("display.read", "cause", err)
	}
	for name, t := range tools {
		if err := t.check(); err != nil {
			return nil, message.Error("display.read_tool", "name", name, "cause", err)
		}
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
