package input

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"errand/app/cli/print"
	"errand/host/tool"
	"errand/planner/message"
)

// maxLine is the maximum length of a --jsonl line.
const maxLine = 16 << 20

// AnswerLines answers each JSON object on standard input with one on standard output, in the same
// order. It answers a malformed line with {id: null, error} and continues; the exit code is then
// 1.
func (s *Reader) AnswerLines(c *print.Console, answer func(line []byte) (any, error)) error {
	in := bufio.NewReaderSize(s.Stdin, 64<<10)
	out := bufio.NewWriterSize(c.Stdout, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return errors.Join(message.Error("cli.read_stdin", "cause", err), out.Flush())
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // the byte order mark of some editors
		}
		var reply any
		if err == nil {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			if reply, err = answer(line); err == nil && !utf8.Valid(line) {
				err = message.Error("cli.line_not_utf8")
			}
		}
		if err != nil {
			c.Code = print.Failed
			reply = map[string]any{"id": idOf(line), "error": tool.NewError(tool.ValidationError, "bad_line", message.New("cli.bad_line", "line", n, "cause", err))}
		}
		if err := c.Encode(out, reply, ""); err != nil {
			return message.Error("cli.write_answer_to_line", "line", n, "cause", err)
		}
		if in.Buffered() == 0 { // answer each line immediately if lines come one by one
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// idOf returns the id of a line that could not be answered, if the line is an object with an id.
func idOf(line []byte) json.RawMessage {
	var in struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &in) != nil || !utf8.Valid(in.ID) {
		return nil
	}
	return in.ID
}

var errTooLong = message.Error("cli.line_too_long", "limit", maxLine)

// readLine reads up to the end of a line. It skips a line longer than maxLine and returns an
// error for it.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) == 0 && !long:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		}
		if long {
			return nil, errTooLong
		}
		return line, nil
	}
}

// Decode reads one line into v. It ignores unknown fields.
func Decode(line []byte, v any) error { return unmarshal(line, v, false) }

// DecodeFile reads a whole file into v. An unknown field is an error.
func DecodeFile(b []byte, v any) error { return unmarshal(b, v, true) }

func unmarshal(b []byte, v any, strict bool) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(v); err != nil {
		return plainly(err)
	}
	if d.More() {
		return message.Error("cli.json_several_values")
	}
	return nil
}

// plainly rewrites a decoder's error without Go's terms.
func plainly(err error) error {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return message.Verbatim(strings.TrimPrefix(err.Error(), "json: ")).Err()
	}
	if mismatch.Field == "" {
		return message.Error("cli.json_line_type", "type", mismatch.Value, "offset", mismatch.Offset)
	}
	return message.Error("cli.json_field_type", "field", mismatch.Field, "type", mismatch.Value, "offset", mismatch.Offset)
}
