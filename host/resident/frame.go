package resident

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"errand/host/tool/jsonstrict"
	"errand/planner/message"
)

// Limits of messages, in bytes.
const (
	maxGreeting = 64 << 10 // hello and Status
	maxRequest  = 4 << 20
	maxEvent    = 64 << 20 // from the process, which is trusted more: an event or an answer
	maxArtifact = 64 << 20 // the bytes of one artifact; a PDF has at most 50 MiB
	maxPayload  = 256 << 20
)

// writeFrame writes a document behind its length.
func writeFrame(w io.Writer, v any, limit int) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(b) > limit {
		return message.Error("resident.message_too_large", "size", len(b), "limit", limit)
	}
	frame := make([]byte, 4, 4+len(b))
	binary.BigEndian.PutUint32(frame, uint32(len(b)))
	_, err = w.Write(append(frame, b...))
	return err
}

// readFrame reads one document of at most limit bytes. A strict document has no unknown and
// no repeated names.
func readFrame(r io.Reader, v any, limit int, strict bool) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(head[:])
	if int64(size) > int64(limit) {
		return message.Error("resident.message_too_large", "size", int64(size), "limit", limit)
	}
	// The buffer grows with what arrives, not with what the length claims.
	var b bytes.Buffer
	if n, err := io.Copy(&b, io.LimitReader(r, int64(size))); err != nil {
		return err
	} else if n < int64(size) {
		return io.ErrUnexpectedEOF
	}
	return decode(b.Bytes(), v, strict)
}

func decode(b []byte, v any, strict bool) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if strict {
		if at, found := jsonstrict.FindDuplicate(b); found {
			return message.Error("resident.repeated_name", "at", at)
		}
		d.DisallowUnknownFields()
	}
	if err := d.Decode(v); err != nil {
		return message.Error("resident.bad_message", "cause", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return message.Error("resident.bad_message", "cause", message.New("resident.more_data"))
	}
	return nil
}
