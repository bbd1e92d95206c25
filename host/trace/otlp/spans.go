package otlp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"errand/host/tool"
	"errand/host/trace"
)

// spans returns the spans of a run, the root first.
func spans(rec trace.Record, version string) []span {
	tree := builder{runID: rec.RunID, start: rec.StartedAt, end: addMillis(rec.StartedAt, rec.DurationMS)}
	steps := tree.steps(rec.Steps)
	root := tree.span("invoke_agent", agent, "", "")
	root.Attributes.text("gen_ai.agent.id", agent)
	root.Attributes.text("gen_ai.agent.version", version)
	root.Attributes.text("gen_ai.provider.name", agent)
	root.Attributes.text("gen_ai.conversation.id", safeWord(rec.RunID))
	root.Attributes.text("errand.status", safeWord(string(rec.Status)))
	root.Attributes.text("errand.state", safeWord(string(rec.State)))
	root.Attributes.text("errand.stop_reason", safeWord(string(rec.StopReason)))
	root.Attributes.text("errand.draft_id", safeWord(rec.DraftID))
	root.Attributes.number("errand.actions", int64(rec.Actions))
	if rec.OmittedSteps > 0 {
		root.Attributes.number("errand.omitted_steps", int64(rec.OmittedSteps))
	}
	root.setStatus(rec.Status, rec.Error)
	plan := tree.plan(rec, root.SpanID)
	for i := range steps {
		steps[i].ParentSpanID = root.SpanID
	}
	for _, e := range rec.Events {
		if e.Kind == trace.KindConnection {
			s := tree.spanOf(e, steps, &root)
			s.Events = append(s.Events, connection(e))
			tree.cover(e.Time)
		}
	}
	root.Start, root.End = unixNano(tree.start), unixNano(tree.end)
	return append([]span{root, plan}, steps...)
}

// builder creates the spans of one run. Its time covers the run and everything in
// it: a run that waited for a user and was resumed is longer than its duration.
type builder struct {
	runID      string
	start, end time.Time
	byStep     map[string][]int // span indexes by step id, in order
}

func (b *builder) cover(t time.Time) {
	if t.IsZero() {
		return
	}
	if b.start.IsZero() || t.Before(b.start) {
		b.start = t
	}
	if t.After(b.end) {
		b.end = t
	}
}

// span returns a new span of an operation. which distinguishes spans of one run.
func (b *builder) span(operation, name, which, parent string) span {
	s := span{
		TraceID: id(16, "trace", b.runID), SpanID: id(8, "span", b.runID, operation, which), ParentSpanID: parent,
		Name: operation + " " + name, Kind: kindInternal,
	}
	s.Attributes.text("gen_ai.operation.name", operation)
	s.Attributes.text("gen_ai.agent.name", agent)
	return s
}

// plan returns the span before the first step. The record does not have its end,
// so the span ends when the first step starts.
func (b *builder) plan(rec trace.Record, parent string) span {
	s := b.span("plan", agent, "", parent)
	end := addMillis(rec.StartedAt, rec.DurationMS)
	for _, step := range rec.Steps {
		if !step.StartedAt.IsZero() && step.StartedAt.Before(end) {
			end = step.StartedAt
		}
	}
	if end.Before(rec.StartedAt) {
		end = rec.StartedAt
	}
	s.Start, s.End = unixNano(rec.StartedAt), unixNano(end)
	s.Attributes.number("errand.actions", int64(rec.Actions))
	if len(rec.Steps) == 0 && rec.Status == trace.Failed { // no step: planning failed
		s.setStatus(rec.Status, rec.Error)
	}
	return s
}

func (b *builder) steps(steps []trace.Step) []span {
	b.byStep = map[string][]int{}
	out := make([]span, 0, len(steps))
	for i, step := range steps {
		try := len(b.byStep[step.StepID]) + 1
		s := b.span("execute_tool", cmp.Or(safeWord(step.ToolName), otherErrorType), fmt.Sprintf("%s\x00%d", step.StepID, try), "")
		s.Attributes.text("gen_ai.tool.name", safeWord(step.ToolName))
		s.Attributes.text("gen_ai.tool.type", "function")
		s.Attributes.text("gen_ai.tool.call.id", safeWord(step.StepID))
		s.Attributes.text("errand.status", safeWord(string(step.Status)))
		s.Attributes.text("errand.verdict", safeWord(step.Verdict))
		s.Attributes.text("errand.rule", safeWord(step.Rule))
		s.Attributes.text("errand.effect", safeWord(string(step.Effect)))
		s.Attributes.text("errand.args_hash", safeWord(step.ArgsHash))
		s.Attributes.texts("errand.policy_flags", words(step.PolicyFlags))
		s.Attributes.number("errand.attempts", int64(step.Attempts))
		if try > 1 {
			s.Attributes.number("errand.try", int64(try))
		}
		s.setStatus(step.Status, stepError(step))
		start := step.StartedAt
		if start.IsZero() { // it never began: use the current time of the run
			start = b.end
		}
		end := addMillis(start, step.DurationMS)
		s.Start, s.End = unixNano(start), unixNano(end)
		b.cover(start)
		b.cover(end)
		b.byStep[step.StepID] = append(b.byStep[step.StepID], i)
		out = append(out, s)
	}
	return out
}

// spanOf returns the span that an event belongs to: the step's latest attempt that had
// begun.
func (b *builder) spanOf(e trace.Event, steps []span, root *span) *span {
	tries := b.byStep[e.StepID]
	if len(tries) == 0 {
		return root
	}
	found := tries[0]
	for _, i := range tries {
		if !time.Time(steps[i].Start).After(e.Time) {
			found = i
		}
	}
	return &steps[found]
}

// setStatus sets the span's status. A step that is under way or waits has status
// unset.
func (s *span) setStatus(how trace.Status, err *tool.Error) {
	switch how {
	case trace.Done:
		s.Status = &status{statusOK}
		return
	case trace.Running, trace.NeedsApproval:
		return
	}
	s.Status = &status{statusError}
	if err == nil {
		err = &tool.Error{Code: string(how)}
	}
	code := err.Code
	if strings.HasPrefix(code, tool.PluginCode) { // a plugin may make it of content
		code = otherErrorType
	}
	s.Attributes.text("error.type", safeWord(code))
	s.Attributes.text("errand.error_class", safeWord(string(err.Class)))
}

func stepError(s trace.Step) *tool.Error {
	if s.Error == nil && s.ErrorCode != "" {
		return &tool.Error{Code: s.ErrorCode}
	}
	return s.Error
}

func connection(e trace.Event) event {
	n, _ := trace.ConnectionOf(e)
	out := event{Time: unixNano(e.Time), Name: "errand.connection"}
	address, port, ok := splitPort(n.Host)
	out.Attributes.text("server.address", host(address))
	if ok {
		out.Attributes.number("server.port", port)
	}
	out.Attributes.text("errand.verdict", safeWord(n.Verdict))
	out.Attributes.text("errand.rule", safeWord(n.Rule))
	return out
}

// otherErrorType replaces a value of an unexpected form. Free text in place of a name could
// be content.
const otherErrorType = "_OTHER"

var wordShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.:\[\]-]{0,128}$`) })

func safeWord(s string) string {
	if !wordShape().MatchString(s) {
		return otherErrorType
	}
	return s
}

func words(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, safeWord(s))
	}
	return out
}

// host returns the name or address of a host, without other parts of a URL.
func host(s string) string {
	if len(s) > 253 || strings.ContainsFunc(s, func(r rune) bool {
		return strings.ContainsRune(`/\@?#%&=`, r) || unicode.IsSpace(r) || !unicode.IsPrint(r)
	}) {
		return otherErrorType
	}
	return s
}

// splitPort splits "example.com:443" and "[::1]:80".
func splitPort(s string) (address string, port int64, ok bool) {
	i := strings.LastIndexByte(s, ':')
	n, err := strconv.ParseUint(s[i+1:], 10, 16)
	if i < 0 || err != nil {
		return s, 0, false
	}
	return strings.Trim(s[:i], "[]"), int64(n), true
}

// id returns the first n bytes, in hex, of the hash of its parts.
func id(n int, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:n])
}

// addMillis returns t plus ms milliseconds, never before t.
func addMillis(t time.Time, ms int64) time.Time {
	const day = 24 * 60 * 60 * 1000
	return t.Add(time.Duration(min(max(ms, 0), 365*day)) * time.Millisecond)
}
