package otlp

import (
	"strconv"
	"time"
)

// Messages of opentelemetry/proto/{collector/trace,trace,resource,common}/v1; only
// the fields in use. JSON has field names in lowerCamelCase, 64-bit numbers as
// decimal strings, enums as numbers, and ids in hex.

type exportTraceServiceRequest struct {
	ResourceSpans []resourceSpans `json:"resourceSpans"`
}

type resourceSpans struct {
	Resource   resource     `json:"resource"`
	ScopeSpans []scopeSpans `json:"scopeSpans"`
}

type resource struct {
	Attributes attributes `json:"attributes"`
}

type scopeSpans struct {
	Scope scope  `json:"scope"`
	Spans []span `json:"spans"`
}

type scope struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type span struct {
	TraceID      string     `json:"traceId"` // 16 bytes
	SpanID       string     `json:"spanId"`  // 8 bytes
	ParentSpanID string     `json:"parentSpanId,omitempty"`
	Name         string     `json:"name"`
	Kind         int        `json:"kind"`
	Start        unixNano   `json:"startTimeUnixNano"`
	End          unixNano   `json:"endTimeUnixNano"`
	Attributes   attributes `json:"attributes"`
	Events       []event    `json:"events,omitempty"`
	Status       *status    `json:"status,omitempty"` // nil: unset
}

type event struct {
	Time       unixNano   `json:"timeUnixNano"`
	Name       string     `json:"name"`
	Attributes attributes `json:"attributes"`
}

// status omits the message, because it could quote private content.
type status struct {
	Code int `json:"code"`
}

// Values of the enums Span.SpanKind and Status.StatusCode.
const (
	kindInternal = 1
	statusOK     = 1
	statusError  = 2
)

// unixNano is a time as fixed64; a time before 1970 becomes 0.
type unixNano time.Time

func (t unixNano) MarshalJSON() ([]byte, error) {
	var n int64
	if at := time.Time(t); at.Year() >= 1970 && at.Year() < 2262 { // the range of int64
		n = max(at.UnixNano(), 0)
	}
	return strconv.AppendQuote(nil, strconv.FormatInt(n, 10)), nil
}

type attributes []keyValue

type keyValue struct {
	Key   string   `json:"key"`
	Value anyValue `json:"value"`
}

// anyValue has exactly one field set.
type anyValue struct {
	String *string     `json:"stringValue,omitempty"`
	Int    *string     `json:"intValue,omitempty"`
	Array  *arrayValue `json:"arrayValue,omitempty"`
}

type arrayValue struct {
	Values []anyValue `json:"values"`
}

// text adds an attribute if value is not empty.
func (a *attributes) text(key, value string) {
	if value != "" {
		*a = append(*a, keyValue{key, anyValue{String: &value}})
	}
}

func (a *attributes) number(key string, value int64) {
	s := strconv.FormatInt(value, 10)
	*a = append(*a, keyValue{key, anyValue{Int: &s}})
}

// texts adds a list if it is not empty.
func (a *attributes) texts(key string, values []string) {
	if len(values) == 0 {
		return
	}
	list := arrayValue{}
	for _, v := range values {
		list.Values = append(list.Values, anyValue{String: &v})
	}
	*a = append(*a, keyValue{key, anyValue{Array: &list}})
}
