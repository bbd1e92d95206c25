// Package otlp exports a record as OpenTelemetry traces. It writes one
// ExportTraceServiceRequest in the JSON encoding of OTLP
// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding) on one line,
// as a collector's file receiver and POST /v1/traces accept it.
//
// A run is an `invoke_agent` span with a `plan` span and one `execute_tool` span
// per step. Names and attributes follow the semantic conventions for generative AI
// (https://github.com/open-telemetry/semantic-conventions-genai). Other attributes
// start with "errand.".
//
// The export omits content: goals, answers, arguments, results, facts, files and
// paths. An error has its class and code, not its message. A connection has its
// host, port and verdict.
package otlp

import (
	"cmp"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Options identify the source of the traces.
type Options struct {
	ServiceName string // service.name; empty: "errand"
	Version     string // of the program; empty: omitted
}

// CodeNoRun is the error code for a record without a run id.
const CodeNoRun = "record_without_run"

// agent is the agent's name in all spans.
const agent = "errand"

// Marshal exports a record. Trace and span ids derive from the record's ids, so
// the same record gives the same bytes, and a later export of a resumed run
// extends the first. A record without a run id is a *tool.Error of class
// validation_error.
func Marshal(rec trace.Record, o Options) ([]byte, error) {
	if rec.RunID == "" {
		return nil, tool.NewError(tool.ValidationError, CodeNoRun, message.New("record.no_run_id"))
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
	b, err := message.EncodeJSON(request)
	return append(b, '\n'), err
}
