package core

import (
	"context"

	"errand/host/tool"
)

// Formats that [App.Export] writes.
const (
	FormatBundle = "bundle" // one JSON document that [App.Replay] reads
	FormatOTLP   = "otlp"   // OpenTelemetry traces, as OTLP/JSON
)

// Export writes one run down as one file, without secrets: the record has none.
// The same record gives the same bytes. An unknown format is a *tool.Error of
// class validation_error with code unknown_format. The empty format is
// [FormatBundle].
func (a *App) Export(ctx context.Context, id, format string) ([]byte, error) {
	return nil, tool.Errorf(tool.ToolUnavailable, "not_built", "export is being built")
}
