package resident

import (
	"encoding/json"
	"io"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// event is one message of a process during a call. Exactly one field is set, or none as a sign
// of life.
type event struct {
	Note    *note   `json:"note,omitempty"`
	Hold    int     `json:"hold,omitempty"` // number of a hold that begins
	Release int     `json:"release,omitempty"`
	Answer  *answer `json:"answer,omitempty"`
}

// note is a [trace.Note]. Exactly one field of a type is set.
type note struct {
	Connection *trace.ConnectionNote `json:"connection,omitempty"`
	Wire       bool                  `json:"wire,omitempty"`
	Page       *trace.PageNote       `json:"page,omitempty"`
	Browser    *trace.BrowserNote    `json:"browser,omitempty"`
	Limit      *trace.LimitNote      `json:"limit,omitempty"`
	Omitted    string                `json:"omitted,omitempty"`
}

// packNote returns false for a note that no browser makes.
func packNote(n trace.Note) (note, bool) {
	switch n := n.(type) {
	case trace.ConnectionNote:
		return note{Connection: &n, Wire: n.Wire}, true
	case trace.PageNote:
		return note{Page: &n}, true
	case trace.BrowserNote:
		return note{Browser: &n}, true
	case trace.LimitNote:
		return note{Limit: &n, Omitted: n.OmittedKind}, true
	}
	return note{}, false
}

func (n note) unpack() (trace.Note, bool) {
	switch {
	case n.Connection != nil:
		n.Connection.Wire = n.Wire
		return *n.Connection, true
	case n.Page != nil:
		return *n.Page, true
	case n.Browser != nil:
		return *n.Browser, true
	case n.Limit != nil:
		n.Limit.OmittedKind = n.Omitted
		return *n.Limit, true
	}
	return nil, false
}

// answer is an [Answer]. The bytes of the result's artifacts follow it.
type answer struct {
	Result *result      `json:"result,omitempty"`
	Effect tool.Effect  `json:"effect,omitempty"`
	Pages  []Page       `json:"pages,omitempty"`
	Egress trace.Egress `json:"egress,omitzero"`
	Err    *tool.Error  `json:"error,omitempty"`
}

// result has what the JSON of a [tool.Result] leaves out.
type result struct {
	tool.Result
	Partial      bool              `json:"partial,omitempty"`
	From         []string          `json:"from,omitempty"`
	UserOnlyKeys []string          `json:"user_only_keys,omitempty"`
	Secrets      []string          `json:"secrets,omitempty"`
	World        *tool.WorldChange `json:"world,omitempty"`
	Sizes        []int             `json:"sizes,omitempty"` // of the artifacts' bytes
}

func packAnswer(a Answer) answer {
	r := result{
		Result: a.Result, Partial: a.Result.Partial, From: a.Result.From, UserOnlyKeys: a.Result.UserOnlyKeys,
		Secrets: a.Result.Secrets, World: a.Result.World,
	}
	for _, artifact := range a.Result.Artifacts {
		r.Sizes = append(r.Sizes, len(artifact.Data))
	}
	return answer{&r, a.Effect, a.Pages, a.Egress, a.Err}
}

func (p answer) unpack() Answer {
	a := Answer{Effect: p.Effect, Pages: p.Pages, Egress: p.Egress, Err: p.Err}
	if r := p.Result; r != nil {
		a.Result = r.Result
		a.Result.Partial, a.Result.From, a.Result.UserOnlyKeys, a.Result.Secrets, a.Result.World = r.Partial, r.From, r.UserOnlyKeys, r.Secrets, r.World
	}
	return a
}

// writeAnswer writes an answer with the bytes of its artifacts. An answer that is too large or
// no JSON is replaced by an error.
func writeAnswer(w io.Writer, a Answer) error {
	total := 0
	for _, artifact := range a.Result.Artifacts {
		total += len(artifact.Data)
		if len(artifact.Data) > maxArtifact || total > maxPayload {
			a = Answer{Egress: a.Egress, Err: tool.NewError(tool.ExecutionError, "result_too_large", message.New("resident.message_too_large", "size", total, "limit", maxPayload))}
			break
		}
	}
	packed := packAnswer(a)
	if b, err := json.Marshal(packed); err != nil || len(b) > maxEvent-64 {
		a = Answer{Egress: a.Egress, Err: tool.NewError(tool.ExecutionError, "result_too_large", message.New("resident.message_too_large", "size", len(b), "limit", maxEvent))}
		packed = packAnswer(a)
	}
	if err := writeFrame(w, event{Answer: &packed}, maxEvent); err != nil {
		return err
	}
	for _, artifact := range a.Result.Artifacts {
		if _, err := w.Write(artifact.Data); err != nil {
			return err
		}
	}
	return nil
}

// readAnswer reads the bytes of the artifacts of an answer.
func readAnswer(r io.Reader, packed answer) (Answer, error) {
	a := packed.unpack()
	if packed.Result == nil || len(packed.Result.Sizes) == 0 {
		return a, nil
	}
	if len(packed.Result.Sizes) != len(a.Result.Artifacts) {
		return a, message.Error("resident.bad_message", "cause", "sizes")
	}
	left := maxPayload
	for i, size := range packed.Result.Sizes {
		if size < 0 || size > maxArtifact || size > left {
			return a, message.Error("resident.message_too_large", "size", size, "limit", maxArtifact)
		}
		left -= size
		data := make([]byte, size)
		if _, err := io.ReadFull(r, data); err != nil {
			return a, err
		}
		a.Result.Artifacts[i].Data = data
	}
	return a, nil
}
