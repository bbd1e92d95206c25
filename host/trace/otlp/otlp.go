// Package otlp writes a record as OpenTelemetry traces, for whatever collects
// and shows those: one ExportTraceServiceRequest in the JSON encoding of OTLP
// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding), on one line,
// as a collector's file receiver and POST /v1/traces take it.
//
// A run is an `invoke_agent` span with a `plan` span and one `execute_tool` span a
// step below it, with the names and attributes of the semantic conventions for
// generative AI (https://github.com/open-telemetry/semantic-conventions-genai).
// What they have no word for begins with "errand.".
//
// Content stays out: no goal, no answer, no arguments, results, facts, files or
// paths, and of an error its class and code but not its message. Of a connection
// there is the host, the port and the verdict.
package otlp

import (
	"bytes"
	"cmp"
	"encoding/json"

	"errand/host/tool"
	"errand/host/trace"
)

// Options say whose traces they are.
type Options struct {
	ServiceName string // service.name; empty: "errand"
	Version     string // of the program; empty: not said
}

// CodeNoRun is the code of the error for a record without a run id.
const CodeNoRun = "record_without_run"

// agent is the name of the one agent that there is.
const agent = "errand"

// Marshal writes a record. Ids of traces and spans are made of the record's own,
// so that the same record gives the same bytes and a second export of a run that
// has gone on since adds to the first. A record without a run id is a *tool.Error
// of class validation_error.
func Marshal(rec trace.Record, o Options) ([]byte, error) {
	if rec.RunID == "" {
		return nil, tool.Errorf(tool.ValidationError, CodeNoRun, "a record without a run id can't be exported")
	}
	var from attributes
	from.text("service.name", cmp.Or(o.ServiceName, agent))
	from.text("service.version", o.Version)
	request := exportTraceServiceRequest{ResourceSpans: []resourceSpans{{
		Resource: resource{Attributes: from},
		ScopeSpans: []scopeSpans{{
			Scope: scope{Name: agent, Version: o.Version},
			Spans: spans(rec, o.Version),
		}},
	}}}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(request); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
