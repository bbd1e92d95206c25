package bundle_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/history/bundle"
	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
)

// picture is in the record below twice and in its bundle once.
var picture = []byte("\x89PNG not really")

func record(t *testing.T) trace.Record {
	t.Helper()
	log := &trace.Memory{}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	run := trace.Run{
		RunID: "01jrun", Goal: "open a page & look", StartedAt: at, Interpretation: json.RawMessage(`{"status":"ok"}`),
		Result: json.RawMessage(`null`), Setting: json.RawMessage(`{"base":{"version":"0.1.0"},"own":{}}`),
	}
	must.Succeed(t, log.Begin(t.Context(), run))
	for i, size := range []int{0, 0, 3} {
		a := tool.Artifact{Name: "page.png", MediaType: "image/png", Data: picture}
		if size > 0 {
			a = tool.Artifact{Name: "note.txt", MediaType: "text/plain", Data: []byte("abc")}
		}
		step := trace.Step{
			RunID: run.RunID, StepID: fmt.Sprintf("a%d", i+1), ToolName: "browser.open", Status: trace.Done, StartedAt: at,
			Args: map[string]any{"url": "https://example.org/?a=1&b=2"}, Payload: map[string]any{"status": 200}, Artifacts: []tool.Artifact{a},
		}
		if _, err := log.Append(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
	must.Succeed(t, log.Note(t.Context(), trace.Event{RunID: run.RunID, Time: at, Kind: "browser", Data: map[string]any{"started": true}}))
	run.Status = trace.Done
	must.Succeed(t, log.End(t.Context(), run))
	rec, err := log.Record(t.Context(), run.RunID)
	must.Succeed(t, err)
	for i := range rec.Steps {
		rec.Steps[i].Artifacts[0].Path = "/home/ann/.local/share/errand/artifacts/x"
	}
	return rec
}

func dataOf(a tool.Artifact) ([]byte, error) {
	if a.Name == "note.txt" {
		return []byte("abc"), nil
	}
	return picture, nil
}

func written(t *testing.T) []byte {
	t.Helper()
	b, err := bundle.Write(record(t), dataOf)
	must.Succeed(t, err)
	return b
}

func TestWriteAndRead(t *testing.T) {
	first, second := written(t), written(t)
	if !bytes.Equal(first, second) {
		t.Error("the same record has two bundles")
	}
	if bytes.Contains(first, []byte("/home/ann")) || !bytes.Contains(first, []byte("a=1&b=2")) {
		t.Errorf("it names a path of the machine, or spells URLs otherwise:\n%s", first)
	}
	b, err := bundle.Read(first)
	must.Succeed(t, err)
	if len(b.Artifacts) != 2 || b.Artifacts[0].SHA256 >= b.Artifacts[1].SHA256 {
		t.Errorf("artifacts %+v", b.Artifacts)
	}
	want := record(t)
	for i := range want.Steps {
		want.Steps[i].Artifacts[0].Path = ""
		want.Steps[i].Artifacts[0].Data, _ = dataOf(want.Steps[i].Artifacts[0])
	}
	got := b.Record()
	for _, doc := range []*json.RawMessage{&got.Setting, &got.Interpretation} { // indented since
		var flat bytes.Buffer
		must.Succeed(t, json.Compact(&flat, *doc))
		*doc = flat.Bytes()
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("record (-want +got):\n%s", d)
	}
	again, err := bundle.Write(b.Record(), func(a tool.Artifact) ([]byte, error) { return a.Data, nil })
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("the bundle of a bundle's record is another one: %v", err)
	}
}

func TestMissingFilesAreListed(t *testing.T) {
	large := record(t)
	large.Steps[2].Artifacts[0].Size = bundle.MaxData + 1
	tests := []struct {
		name string
		rec  trace.Record
		data func(tool.Artifact) ([]byte, error)
		want []bundle.Omitted // of note.txt and page.png, by hash
	}{
		{"gone", record(t), func(tool.Artifact) ([]byte, error) { return nil, errors.New("no such file") }, []bundle.Omitted{bundle.Missing, bundle.Missing}},
		{"damaged", record(t), func(tool.Artifact) ([]byte, error) { return []byte("abc"), nil }, []bundle.Omitted{bundle.Damaged, ""}},
		{"large", large, dataOf, []bundle.Omitted{"", bundle.TooLarge}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := bundle.Write(tt.rec, tt.data)
			must.Succeed(t, err)
			b, err := bundle.Read(doc)
			must.Succeed(t, err)
			for i, a := range b.Artifacts {
				if a.Omitted != tt.want[i] || (len(a.Data) > 0) != (a.Omitted == "") {
					t.Errorf("artifact %s: omitted %q with %d bytes; want %q", a.Name, a.Omitted, len(a.Data), tt.want[i])
				}
			}
		})
	}
}

func TestBadBundles(t *testing.T) {
	good := string(written(t))
	swap := func(old, by string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in\n%s", old, good)
		}
		return strings.Replace(good, old, by, 1)
	}
	encoded := base64.StdEncoding.EncodeToString(picture)
	tests := []struct {
		name  string
		doc   string
		code  string
		where string // in the message
	}{
		{"nothing", "", bundle.CodeTruncated, "is incomplete"},
		{"no JSON", "run 01jrun", bundle.CodeNotABundle, "byte 1"},
		{"another document", `{"run_id":"01jrun"}`, bundle.CodeNotABundle, "at kind"},
		{"a list", `[]`, bundle.CodeNotABundle, "array"},
		{"a newer schema", swap(`"schema": 1`, `"schema": 2`), bundle.CodeUnknownSchema, "it is 2"},
		{"no schema", swap(`"schema": 1,`, ``), bundle.CodeUnknownSchema, "missing"},
		{"cut", good[:len(good)/2], bundle.CodeTruncated, "is incomplete"},
		{"cut at the last brace", strings.TrimSuffix(strings.TrimSpace(good), "}"), bundle.CodeTruncated, "is incomplete"},
		{"more after it", good + "{}", bundle.CodeNotABundle, "byte"},
		{"an unknown field", swap(`"kind"`, `"keys": [], "kind"`), bundle.CodeBadBundle, `"keys"`},
		{"an unknown field of a step", swap(`"step_id": "a1"`, `"step_id": "a1", "secret": 1`), bundle.CodeBadBundle, `"secret"`},
		{"another type", swap(`"step_id": "a1"`, `"step_id": 1`), bundle.CodeBadBundle, "steps.step_id"},
		{"no id", strings.ReplaceAll(good, `"01jrun"`, `""`), bundle.CodeBadBundle, "run.run_id"},
		{"a step of another run", swap(`"run_id": "01jrun",`+"\n      "+`"step_id": "a1"`, `"run_id": "other", "step_id": "a1"`), bundle.CodeBadBundle, "steps[0]"},
		{"no steps", `{"schema":1,"kind":"errand.run","run":{"run_id":"x"},"events":[],"artifacts":[]}`, bundle.CodeBadBundle, "at steps"},
		{"other data", swap(encoded, base64.StdEncoding.EncodeToString(append([]byte("X"), picture[1:]...))), bundle.CodeTampered, "artifacts["},
		{"less data", swap(encoded, encoded[:4]), bundle.CodeTampered, "page.png"},
		{"an artifact that is not listed", swap(`"sha256": "ba78`, `"sha256": "aa78`), bundle.CodeTampered, "steps[2].artifacts[0]"},
		{"no hash", swap("\n      "+`"sha256": "ba78`, "\n      "+`"sha256": "za78`), bundle.CodeBadBundle, "sha256"},
		{"an unknown reason", swap(`"data": "YWJj"`, `"omitted": "lazy"`), bundle.CodeBadBundle, "omitted"},
		{"data and a reason", swap(`"data": "YWJj"`, `"omitted": "missing", "data": "YWJj"`), bundle.CodeBadBundle, "omitted"},
		{"a setting in the run", swap(`"goal"`, `"setting": {}, "goal"`), bundle.CodeBadBundle, "run.setting"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := bundle.Read([]byte(tt.doc))
			var e *tool.Error
			if !errors.As(err, &e) || e.Code != tt.code || e.Class != tool.ValidationError || !strings.Contains(i18n.English().Text(e.Message), tt.where) {
				t.Errorf("error %+v; want %s with %q", e, tt.code, tt.where)
			}
		})
	}
}

// FuzzRead: whatever is read is a typed error or a bundle that is written and
// read as itself.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema":1,"kind":"errand.run","run":{"run_id":"x"},"setting":null,"steps":[],"events":[],"artifacts":[]}`))
	f.Add([]byte(`{"schema":1,"kind":"errand.run","run":{"run_id":"x","interpretation":{"a":"<&>"}},"setting":{"own":{}},
		"steps":[{"run_id":"x","step_id":"a1","args":{"n":1e3},"payload":[1,2.5,null],
		"artifacts":[{"name":"n","media_type":"text/plain","size":3,"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}]}],
		"events":[{"run_id":"x","kind":"k","data":{}}],
		"artifacts":[{"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","size":3,"data":"YWJj"}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		b, err := bundle.Read(doc)
		if err != nil {
			var e *tool.Error
			if !errors.As(err, &e) || e.Class != tool.ValidationError || e.Code == "" {
				t.Fatalf("error %v", err)
			}
			return
		}
		data := func(a tool.Artifact) ([]byte, error) { return a.Data, nil }
		first, err := bundle.Write(b.Record(), data)
		if err != nil {
			t.Fatalf("write what was read: %v", err)
		}
		again, err := bundle.Read(first)
		if err != nil {
			t.Fatalf("read what was written: %v\n%s", err, first)
		}
		second, err := bundle.Write(again.Record(), data)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("written twice, it differs: %v\n%s\n%s", err, first, second)
		}
	})
}
