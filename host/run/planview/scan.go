// Package planview shows a planner what tools answered: without text that reads like an
// instruction.
package planview

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"errand/host/tool"
	"errand/policy/quarantine"
)

// Limits of the scan for instructions in untrusted content. No planner gets content beyond
// them.
const (
	scannedBytes = 128 << 10 // per result
	scanTime     = 10 * time.Second
)

// Scan returns a payload, which is plain JSON, and an error as a planner may see them. It adds to
// mark what it found and what it withheld; excerpts are redacted.
func Scan(ctx context.Context, payload any, e *tool.Error, redact func(string) string, mark *tool.Untrusted) (any, *tool.Error) {
	find("") // quarantine prepares itself once, which is not this text's time
	ctx, cancel := context.WithTimeout(ctx, scanTime)
	defer cancel()
	l := contentScan{ctx: ctx, remaining: scannedBytes, redact: redact, mark: mark}
	return l.value(payload, ""), l.errorOf(e)
}

// find scans a text. It returns false if the scan panics: then no planner gets the text.
func find(text string) (found quarantine.Finding, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return quarantine.Scan(text), true
}

// contentScan is the scan of one result.
type contentScan struct {
	ctx       context.Context
	remaining int // bytes that may still be scanned
	redact    func(string) string
	mark      *tool.Untrusted
}

// errorOf returns an error with its texts as a planner may see them.
func (l *contentScan) errorOf(e *tool.Error) *tool.Error {
	if e == nil {
		return nil
	}
	c := *e
	text := func(s string) string { return l.text(s, "error") }
	c.Message, c.Hint = e.Message.MapText(text), e.Hint.MapText(text)
	c.Details = slices.Clone(e.Details)
	for i := range c.Details {
		c.Details[i] = text(c.Details[i])
	}
	return &c
}

// value returns v, which is plain JSON, with texts and keys as a planner may see
// them.
func (l *contentScan) value(v any, path string) any {
	switch v := v.(type) {
	case string:
		return l.text(v, path)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = l.value(e, fmt.Sprintf("%s/%d", path, i))
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			at := path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(k)
			out[l.text(k, at)] = l.value(v[k], at)
		}
		return out
	}
	return v
}

// text removes instructions from one text and truncates it where the scan ends.
func (l *contentScan) text(s, path string) string {
	if s == "" {
		return s
	}
	if l.ctx.Err() != nil {
		l.remaining = 0
	}
	if over := len(s) - l.remaining; over > 0 {
		s = strings.ToValidUTF8(s[:l.remaining], "") // a character that was cut through goes
		l.mark.Withheld += over
	}
	l.remaining -= len(s)
	found, ok := find(s)
	if !ok {
		l.mark.Withheld += len(s)
		return ""
	}
	l.note(s, path, found)
	if visible, hidden := quarantine.Visible(s); hidden > 0 || visible != s {
		l.mark.Hidden += hidden
		again, ok := find(visible)
		if !ok {
			l.mark.Withheld += len(s)
			return ""
		}
		l.mark.Hidden += again.HiddenBytes()
		return again.Cut(visible)
	}
	l.mark.Hidden += found.HiddenBytes()
	return found.Cut(s)
}

// note stores a finding. It prefers one place of each technique to a second place
// of the same technique.
func (l *contentScan) note(s, path string, found quarantine.Finding) {
	if !found.Flagged || len(l.mark.Findings) >= tool.MaxFindings {
		return
	}
	redacted := l.redact(s)
	places := found.Spans
	if redacted != s { // offsets differ between a redacted text and its original
		places = quarantine.Scan(redacted).Spans
	}
	excerpts := map[string]string{}
	for _, p := range slices.Backward(places) { // keeps the first place of each technique
		excerpts[p.Technique] = excerpt(redacted, p)
	}
	seen := map[string]int{}
	ordered := slices.Clone(found.Spans)
	rank := map[quarantine.Span]int{}
	for _, p := range found.Spans {
		seen[p.Technique]++
		rank[p] = seen[p.Technique]
	}
	slices.SortStableFunc(ordered, func(a, b quarantine.Span) int { return cmp.Compare(rank[a], rank[b]) })
	for _, p := range ordered {
		if len(l.mark.Findings) == tool.MaxFindings {
			return
		}
		text, known := excerpts[p.Technique]
		switch {
		case redacted == s:
			text = excerpt(s, p)
		case !known && len(places) > 0:
			text = excerpt(redacted, places[0])
		}
		l.mark.Findings = append(l.mark.Findings, tool.Finding{Path: path, Technique: p.Technique, Start: p.Start, End: p.End, Excerpt: text})
	}
}

// excerptTail is how many bytes an excerpt continues after its place, because a finding
// may cover only the start of an instruction.
const excerptTail = 80

// excerpt returns one line of redacted text around a place.
func excerpt(text string, at quarantine.Span) string {
	end := min(at.End+excerptTail, len(text))
	words := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r) || r == utf8.RuneError:
			return -1
		}
		return r
	}, text[min(at.Start, end):end])
	words = strings.Join(strings.Fields(words), " ")
	if n := utf8.RuneCountInString(words); n > tool.ExcerptRunes {
		words = string([]rune(words)[:tool.ExcerptRunes-1]) + "…"
	}
	return words
}
