package otlp_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/otlp"
	"errand/planner/message"
)

var update = flag.Bool("update", false, "rewrite the golden file")

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const runID = "01kjmma2g0dq4v7x8m2c5n9p3r"

func record() trace.Record {
	return trace.Record{
		Run: trace.Run{
			RunID: runID, Goal: "make a folder Reports", Status: trace.Failed, StartedAt: noon, DurationMS: 2500, Actions: 3,
			State: trace.StateStop, StopReason: trace.StopMaxFailures, DraftID: runID,
			Error: tool.NewError(tool.ExecutionError, "partly_done", message.Verbatim("1 of 3 was done")),
		},
		Steps: []trace.Step{
			{
				RunID: runID, StepID: "a1", ToolName: "files.create_folder", ArgsHash: strings.Repeat("4", 64), DurationMS: 40, Status: trace.Failed, ErrorCode: "disk_full",
				PolicyFlags: []string{trace.FlagApproved}, StartedAt: noon.Add(time.Second), Verdict: "ask", Rule: "rules[2]", Attempts: 1,
				EffectKey: runID + ":a1", Effect: tool.Released, Error: tool.NewError(tool.ExecutionError, "disk_full", message.Verbatim("the disk is full")),
			},
			{
				RunID: runID, StepID: "a1", ToolName: "files.create_folder", ArgsHash: strings.Repeat("4", 64), DurationMS: 50, Status: trace.Done,
				PolicyFlags: []string{trace.FlagApproved, trace.FlagRetried}, StartedAt: noon.Add(2 * time.Second), Verdict: "ask", Rule: "rules[2]", Attempts: 2,
				EffectKey: runID + ":a1", Effect: tool.Committed,
			},
			{
				RunID: runID, StepID: "a2", ToolName: "browser.open", DurationMS: 700, Status: trace.Denied, ErrorCode: "denied", StartedAt: noon.Add(2100 * time.Millisecond),
				Verdict: "deny", Rule: "floor.private_address", Error: tool.NewError(tool.PolicyDenied, "denied", message.Verbatim("127.0.0.1 is a private address")),
			},
			{RunID: runID, StepID: "a3", ToolName: "browser.read", Status: trace.NeedsApproval, Verdict: "ask"},
		},
		Events: []trace.Event{
			trace.EventOf(runID, noon.Add(2010*time.Millisecond), trace.ConnectionNote{Host: "example.com:443", Verdict: "allow", Rule: "list", Reason: message.Verbatim("listed"), Step: "a1"}),
			trace.EventOf(runID, noon.Add(2200*time.Millisecond), trace.ConnectionNote{Host: "127.0.0.1:80", Verdict: "deny", Rule: "floor.private_address", Reason: message.Verbatim("private"), Step: "a2"}),
			trace.EventOf(runID, noon.Add(4*time.Second), trace.ConnectionNote{Host: "https://example.com/private?q=1:443", Verdict: "allow", Rule: "list", Reason: message.Verbatim("listed")}),
			{RunID: runID, Time: noon, Kind: "browser", Data: map[string]any{"pid": 4711.0}},
		},
	}
}

func marshal(t *testing.T, rec trace.Record) []byte {
	t.Helper()
	b, err := otlp.Marshal(rec, otlp.Options{Version: "0.1.0"})
	must.Succeed(t, err)
	return b
}

func TestGolden(t *testing.T) {
	line := marshal(t, record())
	if bytes.Count(line, []byte("\n")) != 1 || !bytes.HasSuffix(line, []byte("\n")) {
		t.Error("it is not one line")
	}
	var got bytes.Buffer
	must.Succeed(t, json.Indent(&got, line, "", "  "))
	const path = "testdata/run.json"
	if *update {
		must.Succeed(t, os.WriteFile(path, got.Bytes(), 0o644))
	}
	want := must.ReadFile(t, path)
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("export (-want +got; -update rewrites):\n%s", diff)
	}
	if !bytes.Equal(line, marshal(t, record())) {
		t.Error("the same record gives other bytes")
	}
}

type export struct {
	ResourceSpans []struct {
		Resource   struct{ Attributes []attribute }
		ScopeSpans []struct {
			Scope struct{ Name, Version string }
			Spans []exported
		}
	}
}

type exported struct {
	TraceID, SpanID, ParentSpanID, Name, StartTimeUnixNano, EndTimeUnixNano string
	Kind                                                                    int
	Attributes                                                              []attribute
	Events                                                                  []struct {
		TimeUnixNano, Name string
		Attributes         []attribute
	}
	Status struct{ Code int }
}

type attribute struct {
	Key   string
	Value struct {
		StringValue, IntValue string
		ArrayValue            struct {
			Values []struct{ StringValue string }
		}
	}
}

func (e exported) text(key string) string {
	for _, a := range e.Attributes {
		if a.Key == key {
			return a.Value.StringValue + a.Value.IntValue
		}
	}
	return ""
}

func read(t *testing.T, line []byte) []exported {
	t.Helper()
	var e export
	must.Succeed(t, json.Unmarshal(line, &e))
	if len(e.ResourceSpans) != 1 || len(e.ResourceSpans[0].ScopeSpans) != 1 {
		t.Fatalf("not one resource and scope: %s", line)
	}
	return e.ResourceSpans[0].ScopeSpans[0].Spans
}

func TestTree(t *testing.T) {
	all := read(t, marshal(t, record()))
	names, ids := []string{}, map[string]bool{}
	for _, s := range all {
		names = append(names, s.Name)
		ids[s.SpanID] = true
		start, _ := strconv.ParseInt(s.StartTimeUnixNano, 10, 64)
		end, _ := strconv.ParseInt(s.EndTimeUnixNano, 10, 64)
		if start < noon.UnixNano() || end < start {
			t.Errorf("%s from %d to %d", s.Name, start, end)
		}
		if s.TraceID != all[0].TraceID || s.Kind != 1 {
			t.Errorf("%s: trace %s, kind %d", s.Name, s.TraceID, s.Kind)
		}
	}
	want := []string{
		"invoke_agent errand", "plan errand", "execute_tool files.create_folder", "execute_tool files.create_folder",
		"execute_tool browser.open", "execute_tool browser.read",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Fatalf("spans (-want +got):\n%s", diff)
	}
	if len(ids) != len(all) {
		t.Errorf("%d ids of %d spans", len(ids), len(all))
	}
	for i, s := range all {
		if parent := []string{"", all[0].SpanID}[min(i, 1)]; s.ParentSpanID != parent {
			t.Errorf("%s has parent %q", s.Name, s.ParentSpanID)
		}
	}
	if all[2].text("errand.try") != "" || all[3].text("errand.try") != "2" || all[3].text("errand.attempts") != "2" {
		t.Errorf("tries: %+v, %+v", all[2].Attributes, all[3].Attributes)
	}
	for i, code := range []int{2, 0, 2, 1, 2, 0} {
		if all[i].Status.Code != code {
			t.Errorf("%s has status %d, want %d", all[i].Name, all[i].Status.Code, code)
		}
	}
	if got := all[4].text("error.type") + all[4].text("errand.error_class"); got != "deniedpolicy_denied" {
		t.Errorf("error %s", got)
	}
	if len(all[2].Events) != 0 || len(all[3].Events) != 1 || len(all[4].Events) != 1 || len(all[0].Events) != 1 {
		t.Error("a connection is with the wrong try, or not with its step")
	}
	if got := all[0].Events[0].Attributes[0].Value.StringValue; got != "_OTHER" {
		t.Errorf("a URL as host: %s", got)
	}
	if want := strconv.FormatInt(noon.Add(4*time.Second).UnixNano(), 10); all[0].EndTimeUnixNano != want {
		t.Errorf("the run ends at %s, before its last event", all[0].EndTimeUnixNano)
	}
	later := record()
	later.Steps = append(later.Steps, trace.Step{StepID: "a3", ToolName: "browser.read", Status: trace.Done, StartedAt: noon.Add(time.Hour)})
	more := read(t, marshal(t, later))
	for i, s := range all {
		if more[i].SpanID != s.SpanID {
			t.Errorf("%s has another id in a later export", s.Name)
		}
	}
	if more[0].EndTimeUnixNano != more[6].EndTimeUnixNano {
		t.Error("a step is outside of its run")
	}
}

// fields are the names that the messages of opentelemetry-proto v1 have in JSON.
var fields = map[string]string{
	"":              "resourceSpans",
	"resourceSpans": "resource scopeSpans schemaUrl",
	"resource":      "attributes droppedAttributesCount",
	"scopeSpans":    "scope spans schemaUrl",
	"scope":         "name version attributes droppedAttributesCount",
	"spans":         "traceId spanId traceState parentSpanId flags name kind startTimeUnixNano endTimeUnixNano attributes droppedAttributesCount events droppedEventsCount links droppedLinksCount status",
	"events":        "timeUnixNano name attributes droppedAttributesCount",
	"status":        "message code",
	"attributes":    "key value",
	"value":         "stringValue boolValue intValue doubleValue arrayValue kvlistValue bytesValue",
	"arrayValue":    "values",
	"values":        "stringValue boolValue intValue doubleValue arrayValue kvlistValue bytesValue",
}

// TestShape holds every name and value to what OTLP/JSON says of them.
func TestShape(t *testing.T) {
	hexes := regexp.MustCompile(`^([0-9a-f]{16}|[0-9a-f]{32})$`)
	decimal := regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)
	var walk func(path, name string, v any)
	walk = func(path, name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, inner := range v {
				if !strings.Contains(" "+fields[name]+" ", " "+k+" ") {
					t.Errorf("%s has no field %s", path, k)
				}
				walk(path+"."+k, k, inner)
			}
			if n := len(v); (name == "value" || name == "values") && n != 1 {
				t.Errorf("%s has %d of one value's fields", path, n)
			}
		case []any:
			keys := map[any]bool{}
			for i, inner := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), name, inner)
				if name == "attributes" {
					key := inner.(map[string]any)["key"]
					if keys[key] {
						t.Errorf("%s has %v twice", path, key)
					}
					keys[key] = true
				}
			}
		case string:
			if (name == "traceId" && len(v) != 32) || (strings.HasSuffix(strings.ToLower(name), "spanid") && len(v) != 16) {
				t.Errorf("%s is of %d digits", path, len(v))
			}
			if strings.HasSuffix(name, "Id") && (!hexes.MatchString(v) || strings.Trim(v, "0") == "") {
				t.Errorf("%s is %q, no id in hex", path, v)
			}
			if (strings.HasSuffix(name, "UnixNano") || name == "intValue") && !decimal.MatchString(v) {
				t.Errorf("%s is %q, no number", path, v)
			}
		case float64:
			if name != "kind" && name != "code" {
				t.Errorf("%s is a number", path)
			}
		default:
			t.Errorf("%s is %T", path, v)
		}
	}
	odd := trace.Record{Run: trace.Run{RunID: "r", DurationMS: -5}, Steps: []trace.Step{{}, {StartedAt: time.Unix(-1, 0), DurationMS: 1 << 62}, {StartedAt: time.Unix(1<<40, 0)}}}
	for _, rec := range []trace.Record{record(), odd, {Run: trace.Run{RunID: "r"}}} {
		var doc any
		must.Succeed(t, json.Unmarshal(marshal(t, rec), &doc))
		walk("", "", doc)
	}
}

// TestPluginCodes: a code that a plugin gave its error is left out, and one of Errand about
// the same plugin is kept.
func TestPluginCodes(t *testing.T) {
	for code, want := range map[string]string{
		"plugin.john_smith": "_OTHER", "plugin.4510-123456": "_OTHER", "plugin.": "_OTHER", "plugin_trap": "plugin_trap", "plugin_error": "plugin_error", "bad_output": "bad_output", "rules[2]": "rules[2]",
	} {
		e := tool.NewError(tool.ExecutionError, code, message.Verbatim("x"))
		rec := trace.Record{
			Run:   trace.Run{RunID: runID, StartedAt: noon, DurationMS: 30, Status: trace.Failed, Error: e},
			Steps: []trace.Step{{RunID: runID, StepID: "a1", ToolName: "liar.look", Status: trace.Failed, ErrorCode: code, Error: e, StartedAt: noon, Attempts: 1}},
		}
		doc := marshal(t, rec)
		if strings.Contains(string(doc), "smith") || strings.Contains(string(doc), "4510") {
			t.Errorf("%s is in the export", code)
		}
		found := 0
		for _, s := range read(t, doc) {
			if got := s.text("error.type"); got == want {
				found++
			} else if got != "" {
				t.Errorf("%s is exported as %s, want %s", code, got, want)
			}
		}
		if found == 0 {
			t.Errorf("%s: no span has an error", code)
		}
	}
}

func TestPlanFailed(t *testing.T) {
	rec := trace.Record{Run: trace.Run{RunID: runID, StartedAt: noon, DurationMS: 30, Status: trace.Failed, Error: tool.NewError(tool.ValidationError, "not_understood", message.Verbatim("what is that?"))}}
	all := read(t, marshal(t, rec))
	if len(all) != 2 || all[1].Status.Code != 2 || all[1].text("error.type") != "not_understood" {
		t.Errorf("spans %+v", all)
	}
	if want := strconv.FormatInt(noon.Add(30*time.Millisecond).UnixNano(), 10); all[1].EndTimeUnixNano != want {
		t.Errorf("planning ended at %s, want %s", all[1].EndTimeUnixNano, want)
	}
}

func TestNoRun(t *testing.T) {
	_, err := otlp.Marshal(trace.Record{}, otlp.Options{})
	if e := tool.AsError(err); e == nil || e.Code != otlp.CodeNoRun || e.Class != tool.ValidationError {
		t.Errorf("error %v", err)
	}
}

// named are the fields whose values an export repeats. Everything else is content.
var named = map[string]bool{
	"Run.RunID": true, "Run.Status": true, "Run.State": true, "Run.StopReason": true, "Run.DraftID": true, "Run.Error.Code": true, "Run.Error.Class": true,
	"Steps.StepID": true, "Steps.ToolName": true, "Steps.ArgsHash": true, "Steps.Status": true, "Steps.ErrorCode": true, "Steps.PolicyFlags": true,
	"Steps.Verdict": true, "Steps.Rule": true, "Steps.Effect": true, "Steps.Error.Code": true, "Steps.Error.Class": true, "Events.StepID": true, "Events.Kind": true,
}

// TestSeedExport plants a secret of its own in every text that a record can hold,
// found by reflection so that a field that is added is covered too.
func TestSeedExport(t *testing.T) {
	t.Run("X-08 an export has the three kinds of spans and no secrets", func(t *testing.T) {
		planted := map[string]string{}
		plant := func(path string) string {
			s := fmt.Sprintf("hunter2-%d", len(planted))
			planted[s+"."] = path
			return s + "."
		}
		rec := record()
		for _, e := range rec.Events {
			for _, name := range []string{"host", "reason", "url", "path"} {
				if e.Data[name] = "https://example.com/" + plant("Events.Data."+name); name == "host" {
					e.Data[name] = "example.com/" + plant("Events.Data.host")
				}
			}
		}
		rec.Steps = rec.Steps[:2]
		rec.Steps[0].Artifacts = []tool.Artifact{{}}
		rec.Steps[0].Undo = &tool.Inverse{}
		rec.Steps[0].Error.Hint = message.Verbatim("x")
		var fill func(path string, v reflect.Value)
		fill = func(path string, v reflect.Value) {
			switch v.Kind() {
			case reflect.String:
				if !named[path] {
					v.SetString(plant(path))
				}
			case reflect.Struct:
				for i := range v.NumField() {
					if f := v.Type().Field(i); f.IsExported() {
						name := strings.Trim(path+"."+f.Name, ".")
						fill(name, v.Field(i))
					}
				}
			case reflect.Pointer:
				if !v.IsNil() {
					fill(path, v.Elem())
				}
			case reflect.Slice:
				switch {
				case v.Type().Elem().Kind() == reflect.Uint8:
					v.SetBytes([]byte(`{"text":"` + plant(path) + `"}`))
				case v.Len() == 0 && v.Type().Elem().Kind() == reflect.String && !named[path]:
					v.Set(reflect.ValueOf([]string{plant(path)}))
				default:
					for i := range v.Len() {
						fill(path, v.Index(i))
					}
				}
			case reflect.Map:
				if v.IsNil() {
					v.Set(reflect.MakeMap(v.Type()))
				}
				if path != "Events.Data" {
					v.SetMapIndex(reflect.ValueOf(plant(path)), reflect.ValueOf(plant(path)))
				}
			case reflect.Interface:
				v.Set(reflect.ValueOf(map[string]any{plant(path): []any{plant(path)}}))
			}
		}
		fill("", reflect.ValueOf(&rec).Elem())
		whole := must.JSON(t, rec)
		if found := bytes.Count(whole, []byte("hunter2-")); found < 30 {
			t.Fatalf("only %d secrets are planted: %s", found, whole)
		}
		got := marshal(t, rec)
		for secret, path := range planted {
			if bytes.Contains(got, []byte(secret)) {
				t.Errorf("%s is in the export", path)
			}
		}
		if bytes.Contains(got, []byte("hunter2")) {
			t.Errorf("a secret is in the export: %s", got)
		}
		operations := map[string]int{}
		for _, s := range read(t, got) {
			operations[s.text("gen_ai.operation.name")]++
		}
		if diff := cmp.Diff(map[string]int{"invoke_agent": 1, "plan": 1, "execute_tool": 2}, operations); diff != "" {
			t.Errorf("operations (-want +got):\n%s", diff)
		}
	})
	t.Run("X-08 text where a name should be is left out", func(t *testing.T) {
		rec := record()
		s := &rec.Steps[0]
		prose := "the password is hunter2"
		s.ToolName, s.StepID, s.Rule, s.Verdict, s.ArgsHash, s.PolicyFlags, s.Error.Code = prose, prose, prose, prose, prose, []string{prose}, prose
		rec.DraftID, rec.StopReason, rec.Error.Code = prose, trace.StopReason(prose), prose
		if got := marshal(t, rec); bytes.Contains(got, []byte("hunter2")) {
			t.Errorf("prose is in the export: %s", got)
		}
	})
}

func BenchmarkMarshal(b *testing.B) {
	rec := record()
	for len(rec.Steps) < 10_000 {
		rec.Steps = append(rec.Steps, rec.Steps[1])
	}
	for b.Loop() {
		if _, err := otlp.Marshal(rec, otlp.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
