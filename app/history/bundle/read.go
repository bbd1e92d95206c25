package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
)

// MaxBytes bounds a bundle that is read. [MaxData] as base64 with the record
// around it is well below.
const MaxBytes = 128 << 20

// Codes of the errors of [Read]; their class is validation_error.
const (
	CodeNotABundle    = "not_a_bundle"   // no JSON, or a document of another kind
	CodeUnknownSchema = "unknown_schema" // of a newer program
	CodeTruncated     = "truncated"      // it ends too early
	CodeTooLarge      = "too_large"      // beyond MaxBytes
	CodeBadBundle     = "bad_bundle"     // a part contradicts the form or another part
	CodeTampered      = "tampered"       // an artifact is not the one that was recorded
)

// Read reads a bundle and believes nothing of it: an unknown field, a part that
// is missing, an artifact whose data doesn't have its hash are errors that say
// what is wrong and where.
func Read(doc []byte) (Bundle, error) {
	if len(doc) > MaxBytes {
		return Bundle{}, codedError(CodeTooLarge, message.New("bundle.too_large", "size", len(doc), "limit", MaxBytes))
	}
	var head struct {
		Schema *int   `json:"schema"`
		Kind   string `json:"kind"`
	}
	if err := json.Unmarshal(doc, &head); err != nil {
		return Bundle{}, unreadable(err, CodeNotABundle)
	}
	switch {
	case head.Kind != Kind:
		return Bundle{}, codedError(CodeNotABundle, message.New("bundle.other_kind", "kind", head.Kind, "want", Kind)).
			WithHint(message.New("bundle.not_a_bundle_hint"))
	case head.Schema == nil || *head.Schema != Schema:
		m := message.New("bundle.no_schema", "known", Schema)
		if head.Schema != nil {
			m = message.New("bundle.other_schema", "schema", *head.Schema, "known", Schema)
		}
		return Bundle{}, codedError(CodeUnknownSchema, m).WithHint(message.New("bundle.newer_format_hint"))
	}
	var b Bundle
	d := json.NewDecoder(bytes.NewReader(doc))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return Bundle{}, unreadable(err, CodeBadBundle)
	}
	if err := b.check(); err != nil {
		return Bundle{}, err
	}
	return b, nil
}

func codedError(code string, m message.Message) *tool.Error {
	return tool.NewError(tool.ValidationError, code, message.New("bundle.read_bundle", "cause", m))
}

// unreadable says what a decoder's error means and where it stands.
func unreadable(err error, code string) *tool.Error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF),
		errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return codedError(CodeTruncated, message.New("bundle.truncated")).WithHint(message.New("bundle.damaged_hint"))
	case errors.As(err, &syntax):
		return codedError(code, message.New("bundle.bad_json", "offset", syntax.Offset, "cause", syntax))
	case errors.As(err, &kind):
		return codedError(code, message.New("bundle.wrong_type", "field", kind.Field, "offset", kind.Offset, "type", kind.Value))
	}
	return codedError(code, message.Verbatim(strings.TrimPrefix(err.Error(), "json: ")))
}

// check holds the parts against one another.
func (b Bundle) check() error {
	if b.Run.RunID == "" {
		return codedError(CodeBadBundle, message.New("bundle.no_run_id"))
	}
	if len(b.Run.Setting) > 0 {
		return codedError(CodeBadBundle, message.New("bundle.setting_in_run"))
	}
	for _, part := range []struct {
		name    string
		missing bool
	}{{"steps", b.Steps == nil}, {"events", b.Events == nil}, {"artifacts", b.Artifacts == nil}} {
		if part.missing {
			return codedError(CodeBadBundle, message.New("bundle.missing", "field", part.name))
		}
	}
	listed := map[string]int64{}
	for i, a := range b.Artifacts {
		if err := a.check(fmt.Sprintf("artifacts[%d]", i)); err != nil {
			return err
		}
		if _, twice := listed[a.SHA256]; twice {
			return codedError(CodeBadBundle, message.New("bundle.artifact_twice", "index", i, "hash", a.SHA256))
		}
		listed[a.SHA256] = a.Size
	}
	for i, s := range b.Steps {
		if s.RunID != b.Run.RunID || s.StepID == "" {
			return codedError(CodeBadBundle, message.New("bundle.foreign_step", "index", i, "step", s.StepID, "run", s.RunID, "want", b.Run.RunID))
		}
		for j, a := range s.Artifacts {
			if size, ok := listed[a.SHA256]; !ok || size != a.Size {
				return codedError(CodeTampered, message.New("bundle.no_artifact", "step", i, "index", j, "size", a.Size, "hash", a.SHA256))
			}
		}
	}
	for i, e := range b.Events {
		if e.RunID != b.Run.RunID {
			return codedError(CodeBadBundle, message.New("bundle.foreign_event", "index", i, "run", e.RunID, "want", b.Run.RunID))
		}
	}
	return nil
}

func (a Artifact) check(where string) error {
	if hash, err := hex.DecodeString(a.SHA256); err != nil || len(hash) != sha256.Size || strings.ToLower(a.SHA256) != a.SHA256 {
		return codedError(CodeBadBundle, message.New("bundle.bad_hash", "place", where, "hash", a.SHA256))
	}
	switch a.Omitted {
	case "":
		if int64(len(a.Data)) != a.Size || sum(a.Data) != a.SHA256 {
			return codedError(CodeTampered, message.New("bundle.other_data", "place", where, "size", len(a.Data), "name", a.Name, "hash", a.SHA256))
		}
	case TooLarge, Missing, Damaged:
		if len(a.Data) > 0 {
			return codedError(CodeBadBundle, message.New("bundle.data_omitted", "place", where))
		}
	default:
		return codedError(CodeBadBundle, message.New("bundle.bad_omission", "place", where, "reason", a.Omitted))
	}
	return nil
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
