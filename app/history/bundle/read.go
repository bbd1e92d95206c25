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
		return Bundle{}, fault(CodeTooLarge, "it has %d bytes; the limit is %d", len(doc), MaxBytes)
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
		return Bundle{}, fault(CodeNotABundle, "at kind: it is %q and not %q", head.Kind, Kind).
			WithHint(message.New("bundle.errand_export_id_writes"))
	case head.Schema == nil || *head.Schema != Schema:
		found := "missing"
		if head.Schema != nil {
			found = fmt.Sprint(*head.Schema)
		}
		return Bundle{}, fault(CodeUnknownSchema, "at schema: it is %s; this program knows %d", found, Schema).
			WithHint(message.New("bundle.read_it_with_version"))
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

func fault(code, format string, args ...any) *tool.Error {
	return tool.NewError(tool.ValidationError, code, "read the bundle: "+format, args...)
}

// unreadable says what a decoder's error means and where it stands.
func unreadable(err error, code string) *tool.Error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF),
		errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return fault(CodeTruncated, "it ends before it is complete").WithHint(message.New("bundle.copy_or_export_it"))
	case errors.As(err, &syntax):
		return fault(code, "at byte %d: %v", syntax.Offset, syntax)
	case errors.As(err, &kind):
		return fault(code, "at %s (byte %d): a JSON %s can't stand there", kind.Field, kind.Offset, kind.Value)
	}
	return fault(code, "%s", strings.TrimPrefix(err.Error(), "json: "))
}

// check holds the parts against one another.
func (b Bundle) check() error {
	if b.Run.RunID == "" {
		return fault(CodeBadBundle, "at run.run_id: it is empty")
	}
	if len(b.Run.Setting) > 0 {
		return fault(CodeBadBundle, "at run.setting: the setting stands beside the run")
	}
	for _, part := range []struct {
		name    string
		missing bool
	}{{"steps", b.Steps == nil}, {"events", b.Events == nil}, {"artifacts", b.Artifacts == nil}} {
		if part.missing {
			return fault(CodeBadBundle, "at %s: it is missing", part.name)
		}
	}
	listed := map[string]int64{}
	for i, a := range b.Artifacts {
		if err := a.check(fmt.Sprintf("artifacts[%d]", i)); err != nil {
			return err
		}
		if _, twice := listed[a.SHA256]; twice {
			return fault(CodeBadBundle, "at artifacts[%d]: %s is there twice", i, a.SHA256)
		}
		listed[a.SHA256] = a.Size
	}
	for i, s := range b.Steps {
		if s.RunID != b.Run.RunID || s.StepID == "" {
			return fault(CodeBadBundle, "at steps[%d]: it is step %q of run %q and not of %q", i, s.StepID, s.RunID, b.Run.RunID)
		}
		for j, a := range s.Artifacts {
			if size, ok := listed[a.SHA256]; !ok || size != a.Size {
				return fault(CodeTampered, "at steps[%d].artifacts[%d]: no artifact of %d bytes with hash %s is in the bundle", i, j, a.Size, a.SHA256)
			}
		}
	}
	for i, e := range b.Events {
		if e.RunID != b.Run.RunID {
			return fault(CodeBadBundle, "at events[%d]: it is of run %q and not of %q", i, e.RunID, b.Run.RunID)
		}
	}
	return nil
}

func (a Artifact) check(where string) error {
	if hash, err := hex.DecodeString(a.SHA256); err != nil || len(hash) != sha256.Size || strings.ToLower(a.SHA256) != a.SHA256 {
		return fault(CodeBadBundle, "at %s.sha256: %q is no hash", where, a.SHA256)
	}
	switch a.Omitted {
	case "":
		if int64(len(a.Data)) != a.Size || sum(a.Data) != a.SHA256 {
			return fault(CodeTampered, "at %s.data: the %d bytes of %q are not those that were recorded (%s)", where, len(a.Data), a.Name, a.SHA256)
		}
	case TooLarge, Missing, Damaged:
		if len(a.Data) > 0 {
			return fault(CodeBadBundle, "at %s: it has data and says that it was omitted", where)
		}
	default:
		return fault(CodeBadBundle, "at %s.omitted: %q is no reason", where, a.Omitted)
	}
	return nil
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
