package run

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

	"errand/host/run/subject"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/quarantine"
)

// Limits of the scan for instructions in untrusted content. Content beyond them is
// recorded, but no planner gets it.
const (
	scannedBytes = 128 << 10 // per result
	scanTime     = 10 * time.Second
)

// markUntrusted marks a result as untrusted if its tool's spec says so and the tool was
// called. It returns the form that a planner may see: without text that reads like
// an instruction and without the fields that the tool reserves for the user. The
// original result goes to the record.
func (r *recording) markUntrusted(ctx context.Context, result tool.Result) (seen tool.Result) {
	seen = result
	seen.Payload = omitKeys(result.Payload, result.UserOnlyKeys)
	seen.UserOnlyKeys = nil
	if !r.spec.Untrusted || r.step.Attempts == 0 && !result.OK {
		return seen
	}
	_, _ = catchPanic(func() quarantine.Finding { return quarantine.Scan("") }) // it prepares itself once, which is not this text's time
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), scanTime)
	defer cancel()
	l := contentScan{ctx: limited, remaining: scannedBytes, redact: r.text, mark: tool.Untrusted{
		Tool: r.call.Tool, StepID: r.call.ActionID, From: slices.Clone(result.From),
	}}
	if len(l.mark.From) == 0 {
		for _, source := range subject.SourcesOf(r.spec, r.call) {
			l.mark.From = append(l.mark.From, r.text(source))
		}
	}
	seen.Payload = l.value(seen.Payload, "")
	seen.Error = l.errorOf(seen.Error)
	if l.mark.Hidden > 0 {
		r.step.PolicyFlags = append(r.step.PolicyFlags, trace.FlagHidden)
	}
	seen.Untrusted = &l.mark
	r.step.Untrusted = &l.mark
	r.d.readings.add(r.call.RunID, l.mark)
	return seen
}

// omitKeys copies a payload and omits some of its keys.
func omitKeys(payload any, keys []string) any {
	m, ok := payload.(map[string]any)
	if !ok || len(keys) == 0 {
		return payload
	}
	m = maps.Clone(m)
	for _, k := range keys {
		delete(m, k)
	}
	return m
}

// currentEffect is the scan of one result.
type contentScan struct {
	ctx       context.Context
	remaining int // bytes that may still be scanned
	redact    func(string) string
	mark      tool.Untrusted
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
	found, err := catchPanic(func() quarantine.Finding { return quarantine.Scan(s) })
	if err != nil {
		l.mark.Withheld += len(s)
		return ""
	}
	l.note(s, path, found)
	if visible, hidden := quarantine.Visible(s); hidden > 0 || visible != s {
		l.mark.Hidden += hidden
		again, err := catchPanic(func() quarantine.Finding { return quarantine.Scan(visible) })
		if err != nil {
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

// plannerView returns a step as a planner sees it. Untrusted content is removed; the
// planner gets its quarantined form in the results.
func plannerView(s trace.Step) trace.Step {
	if s.Untrusted == nil && len(s.Aside) == 0 {
		return s
	}
	s.Payload = omitKeys(s.Payload, s.Aside)
	if s.Untrusted == nil {
		return s
	}
	s.Payload = nil
	if s.Error != nil {
		e := *s.Error
		e.Message, e.Hint = message.New("run.tool_failed", "tool", s.ToolName, "code", e.Code), message.Message{}
		s.Error = &e
	}
	return s
}
