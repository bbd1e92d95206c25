// Package event reports changes of resources. A [Journal] stores each [Event]
// under a sequence number, and a [Bus] delivers it to its subscribers. A
// subscriber that is too slow is dropped and can see how many events it missed. It
// never blocks a publisher and can continue from the journal.
//
// host/store has the journal on disk.
package event

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"errand/host/tool"
	"errand/planner/message"
)

// Event reports a change of resources. It is the Event of the agent services'
// event.proto with a sequence number.
type Event struct {
	Seq        int64      `json:"seq"`    // given by the journal, from 1 upwards; 0: not journalled
	ID         string     `json:"id"`     // UUID
	Source     string     `json:"source"` // who says so: "host/run"
	Time       string     `json:"time"`   // ISO 8601 with an offset: 2026-03-01T12:00:00.5Z
	Resources  []Name     `json:"resources"`
	DetailType DetailType `json:"detail_type"`
}

// Limits of an event.
const (
	MaxResources = 1000 // resource names per event
	MaxSource    = 256  // bytes of a source
)

// CodeInvalid is the error code of an invalid [Event], [Name] or [Prefix].
const CodeInvalid = "event_invalid"

// New returns an event with a random id.
func New(source string, at time.Time, what DetailType, resources ...Name) Event {
	return Event{
		ID: newID(), Source: source, Time: at.UTC().Format(time.RFC3339Nano),
		Resources: resources, DetailType: what,
	}
}

// newID returns a random UUID (RFC 9562, version 4).
func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Validate checks each field. The error is a *tool.Error of class validation_error
// that starts with the field's name.
func (e Event) Validate() error {
	_, notTime := time.Parse(time.RFC3339Nano, e.Time)
	switch {
	case !isUUID(e.ID):
		return invalid(message.New("event.bad_id", "id", e.ID))
	case e.Source == "":
		return invalid(message.New("event.no_source"))
	case len(e.Source) > MaxSource:
		return invalid(message.New("event.source_too_long", "count", len(e.Source), "limit", MaxSource))
	case !utf8.ValidString(e.Source) || strings.ContainsFunc(e.Source, unicode.IsControl):
		return invalid(message.New("event.bad_source", "source", e.Source))
	case notTime != nil || !iso8601().MatchString(e.Time):
		return invalid(message.New("event.bad_time", "time", e.Time))
	case len(e.Resources) == 0:
		return invalid(message.New("event.no_resources"))
	case len(e.Resources) > MaxResources:
		return invalid(message.New("event.too_many_resources", "count", len(e.Resources), "limit", MaxResources))
	case !e.DetailType.isKnown():
		return invalid(message.New("event.unknown_detail_type", "number", int(e.DetailType)))
	}
	for i, r := range e.Resources {
		if err := r.Validate(); err != nil {
			return invalid(message.New("event.bad_resource", "index", i, "cause", err))
		}
	}
	return nil
}

// iso8601 is stricter than package time, which accepts missing digits.
var iso8601 = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$`)
})

func invalid(m message.Message) error {
	return tool.NewError(tool.ValidationError, CodeInvalid, m)
}

func isUUID(s string) bool {
	for i, r := range s {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash && r != '-' || !dash && !strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return false
		}
	}
	return len(s) == 36
}

// DetailType is the kind of change. JSON uses its name.
type DetailType int

// Kinds of changes.
const (
	Put    DetailType = 0 // RESOURCE_PUT: created or changed
	Get    DetailType = 1 // RESOURCE_GET: read
	Delete DetailType = 2 // RESOURCE_DELETE: deleted
)

var detailNames = [...]string{Put: "RESOURCE_PUT", Get: "RESOURCE_GET", Delete: "RESOURCE_DELETE"}

func (d DetailType) isKnown() bool { return d >= 0 && int(d) < len(detailNames) }

func (d DetailType) String() string {
	if !d.isKnown() {
		return fmt.Sprintf("DetailType(%d)", int(d))
	}
	return detailNames[d]
}

// MarshalText returns the name.
func (d DetailType) MarshalText() ([]byte, error) {
	if !d.isKnown() {
		return nil, invalid(message.New("event.unknown_detail_type", "number", int(d)))
	}
	return []byte(detailNames[d]), nil
}

// UnmarshalText parses the name.
func (d *DetailType) UnmarshalText(b []byte) error {
	for i, name := range detailNames {
		if string(b) == name {
			*d = DetailType(i)
			return nil
		}
	}
	return invalid(message.New("event.unknown_detail_name", "name", b, "names", detailNames[:]))
}
