package run

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"errand/host/tool"
	"errand/host/trace"
	"errand/policy/quarantine"
)

// Bounds of the look at what others wrote. What lies beyond them is on record,
// and no planner is given it.
const (
	scannedBytes = 128 << 10 // of one result
	scanTime     = 10 * time.Second
)

// mark says of a result that it is the words of others, where its tool's spec
// says so and the tool was asked. The result that it answers is the one that a
// planner may see: what reads like an order is taken out, and so is what the tool
// set aside for the person. The one that was given goes to the record.
func (r *recording) mark(ctx context.Context, result tool.Result) (seen tool.Result) {
	seen = result
	seen.Payload = without(result.Payload, result.Aside)
	seen.Aside = nil
	if !r.spec.Untrusted || r.step.Attempts == 0 && !result.OK {
		return seen
	}
	_, _ = protect(func() quarantine.Finding { return quarantine.Scan("") }) // it prepares itself once, which is not this text's time
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), scanTime)
	defer cancel()
	l := look{ctx: within, left: scannedBytes, redact: r.text, mark: tool.Untrusted{
		Tool: r.call.Tool, StepID: r.call.CallID, From: slices.Clone(result.From),
	}}
	if len(l.mark.From) == 0 {
		l.mark.From = sources(r.spec, r.call)
	}
	seen.Payload = l.value(seen.Payload, "")
	if e := seen.Error; e != nil {
		c := *e
		c.Message, c.Hint = l.text(e.Message, "error"), l.text(e.Hint, "error")
		c.Details = slices.Clone(e.Details)
		for i := range c.Details {
			c.Details[i] = l.text(c.Details[i], "error")
		}
		seen.Error = &c
	}
	seen.Untrusted = &l.mark
	r.step.Untrusted = &l.mark
	r.d.readings.add(r.call.RunID, l.mark)
	return seen
}

// without is a payload without some of its keys.
func without(payload any, keys []string) any {
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

// look goes through one result.
type look struct {
	ctx    context.Context
	left   int // bytes that may still be looked at
	redact func(string) string
	mark   tool.Untrusted
}

// value is v, plain JSON, with its texts and keys as a planner may see them.
func (l *look) value(v any, path string) any {
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

// text is one text without its orders, as far as it can be looked at.
func (l *look) text(s, path string) string {
	if s == "" {
		return s
	}
	if l.ctx.Err() != nil {
		l.left = 0
	}
	if over := len(s) - l.left; over > 0 {
		s = strings.ToValidUTF8(s[:l.left], "") // a character that was cut through goes
		l.mark.Withheld += over
	}
	l.left -= len(s)
	found, err := protect(func() quarantine.Finding { return quarantine.Scan(s) })
	if err != nil {
		l.mark.Withheld += len(s)
		return ""
	}
	l.note(s, path, found)
	return found.Cut(s)
}

// note keeps what was found, a place of each technique before a second one of
// any.
func (l *look) note(s, path string, found quarantine.Finding) {
	if !found.Flagged || len(l.mark.Findings) >= tool.MaxFindings {
		return
	}
	redacted := l.redact(s)
	places := found.Spans
	if redacted != s { // places in a text with secrets are not those in one without
		places = quarantine.Scan(redacted).Spans
	}
	excerpts := map[string]string{}
	for _, p := range slices.Backward(places) { // the first of each technique stays
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

// beyond is how many bytes after a place its excerpt goes on: what is found may
// be the first words of an order.
const beyond = 80

// excerpt is what stands at a place of a text without secrets, on one line.
func excerpt(text string, at quarantine.Span) string {
	end := min(at.End+beyond, len(text))
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

// sources are the hosts that a call's answer comes from: those of the URLs in
// its arguments, else those that its tool may reach.
func sources(spec tool.Spec, call tool.Call) []string {
	var hosts []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if u, err := url.Parse(v); err == nil && u.Host != "" && !slices.Contains(hosts, u.Hostname()) {
				hosts = append(hosts, u.Hostname())
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k])
			}
		}
	}
	walk(call.Args)
	if len(hosts) == 0 {
		hosts = slices.Clone(spec.Hosts)
	}
	return hosts
}

// seenBy is a step as a planner sees it: what others wrote is among the results
// of its call, made inert, and not here again.
func seenBy(s trace.Step) trace.Step {
	if s.Untrusted == nil && len(s.Aside) == 0 {
		return s
	}
	s.Payload = without(s.Payload, s.Aside)
	if s.Untrusted == nil {
		return s
	}
	s.Payload = nil
	if s.Error != nil {
		e := *s.Error
		e.Message, e.Hint = fmt.Sprintf("%s failed: %s", s.ToolName, e.Code), ""
		s.Error = &e
	}
	return s
}
