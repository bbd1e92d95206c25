// Package bundle is the form of a run in one file: everything that its record
// holds, the setting that it was planned in and the artifacts' data, so that
// another machine can look at it and replay it without keys and without a
// network. It holds no secrets, because the record holds none.
package bundle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Schema and Kind are what a bundle says of itself.
const (
	Schema = 1
	Kind   = "errand.run"
)

// MaxData is how much of the artifacts' data one bundle takes in, in bytes.
const MaxData = 32 << 20

// Bundle is one run as a document. Its setting stands beside the run and not in
// it, and artifacts have no path: that is this machine's.
type Bundle struct {
	Schema    int             `json:"schema"`
	Kind      string          `json:"kind"`
	Run       trace.Run       `json:"run"`
	Setting   json.RawMessage `json:"setting"` // null: it was not recorded
	Steps     []trace.Step    `json:"steps"`
	Events    []trace.Event   `json:"events"`
	Turns     []trace.Turn    `json:"turns,omitempty"` // of a task, with its planner
	Artifacts []Artifact      `json:"artifacts"`       // each content once, by hash
}

// Artifact is what a step produced. Without Data, Omitted says why.
type Artifact struct {
	SHA256    string  `json:"sha256"`
	Name      string  `json:"name"`
	MediaType string  `json:"media_type"`
	Size      int64   `json:"size"`
	Omitted   Omitted `json:"omitted,omitempty"`
	Data      []byte  `json:"data,omitempty"`
}

// Omitted is why an artifact's data is not in the bundle.
type Omitted string

// Reasons to omit data.
const (
	TooLarge Omitted = "too_large" // it would have gone beyond MaxData
	Missing  Omitted = "missing"   // it was not there any more
	Damaged  Omitted = "damaged"   // what was there is not what was recorded
)

// Write spells a record as a bundle: the same record gives the same bytes. Data
// answers with an artifact's content; what it can't is listed without data. It
// is asked in the order of the hashes and only for what still has room.
func Write(rec trace.Record, data func(tool.Artifact) ([]byte, error)) ([]byte, error) {
	b := Bundle{Schema: Schema, Kind: Kind, Run: rec.Run, Setting: rec.Setting, Events: rec.Events, Turns: rec.Turns, Steps: slices.Clone(rec.Steps)}
	b.Run.Setting = nil
	if b.Events == nil {
		b.Events = []trace.Event{}
	}
	if b.Steps == nil {
		b.Steps = []trace.Step{}
	}
	included := artifacts(b.Steps)
	b.Artifacts = make([]Artifact, 0, len(included))
	remaining := int64(MaxData)
	for _, a := range included {
		out := Artifact{SHA256: a.SHA256, Name: a.Name, MediaType: a.MediaType, Size: a.Size, Omitted: TooLarge}
		if a.Size <= remaining {
			out.Data, out.Omitted = content(a, data)
			remaining -= int64(len(out.Data))
		}
		b.Artifacts = append(b.Artifacts, out)
	}
	return spell(b)
}

// artifacts takes the paths out of the steps' artifacts and lists each content
// once, by hash.
func artifacts(steps []trace.Step) []tool.Artifact {
	var included []tool.Artifact
	for i := range steps {
		steps[i].Artifacts = slices.Clone(steps[i].Artifacts)
		for j, a := range steps[i].Artifacts {
			included = append(included, a)
			steps[i].Artifacts[j].Path = ""
		}
	}
	slices.SortStableFunc(included, func(a, b tool.Artifact) int { return cmp.Compare(a.SHA256, b.SHA256) })
	return slices.CompactFunc(included, func(a, b tool.Artifact) bool { return a.SHA256 == b.SHA256 })
}

func content(a tool.Artifact, data func(tool.Artifact) ([]byte, error)) ([]byte, Omitted) {
	b, err := data(a)
	switch {
	case err != nil:
		return nil, Missing
	case sum(b) != a.SHA256 || int64(len(b)) != a.Size:
		return nil, Damaged
	}
	return b, ""
}

// spell writes the document as people read it: indented, URLs as they are.
func spell(b Bundle) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(b); err != nil {
		return nil, message.Error("bundle.write_bundle", "run", b.Run.RunID, "cause", err)
	}
	return out.Bytes(), nil
}

// Record is the record that the bundle was made of, with the artifacts' data.
func (b Bundle) Record() trace.Record {
	rec := trace.Record{Run: b.Run, Steps: slices.Clone(b.Steps), Events: b.Events, Turns: b.Turns}
	rec.Setting = b.Setting
	data := map[string][]byte{}
	for _, a := range b.Artifacts {
		data[a.SHA256] = a.Data
	}
	for i := range rec.Steps {
		rec.Steps[i].Artifacts = slices.Clone(rec.Steps[i].Artifacts)
		for j, a := range rec.Steps[i].Artifacts {
			rec.Steps[i].Artifacts[j].Data = data[a.SHA256]
		}
	}
	return rec
}
