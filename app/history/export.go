package history

import (
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"sync"

	"errand/app/history/bundle"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/otlp"
	"errand/planner/message"
)

// Formats that [History.Export] writes.
const (
	FormatBundle = "bundle" // one JSON document that a replay reads
	FormatOTLP   = "otlp"   // OpenTelemetry traces, as OTLP/JSON
)

// Export writes one run down as one file, without secrets: the record has none.
// The same record gives the same bytes. An unknown format is a *tool.Error of
// class validation_error with code unknown_format. The empty format is
// [FormatBundle].
func (h *History) Export(ctx context.Context, id, format string) ([]byte, error) {
	switch format {
	case "", FormatBundle, FormatOTLP:
	default:
		return nil, tool.NewError(tool.ValidationError, "unknown_format", message.New("history.unknown_format", "format", format)).
			WithHint(message.New("history.known_formats", "bundle", FormatBundle, "otlp", FormatOTLP))
	}
	rec, err := h.Record(ctx, id)
	if err != nil {
		return nil, err
	}
	rec.Steps = slices.Clone(rec.Steps)
	for i, s := range rec.Steps {
		rec.Steps[i].ArgsHash = tool.HashArgs(s.Args) // of what is exported, so that it tells no secret
	}
	if format == FormatOTLP {
		return otlp.Marshal(rec, otlp.Options{Version: h.o.Version})
	}
	return bundle.Write(rec, func(a tool.Artifact) ([]byte, error) { return h.readArtifact(ctx, a) })
}

// readArtifact reads what a step has stored.
func (h *History) readArtifact(ctx context.Context, a tool.Artifact) ([]byte, error) {
	f, err := h.OpenArtifact(ctx, a.SHA256)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, a.Size+1)) // a file that grew is not the one that was stored
}

// runID is what a run's id, or the beginning of one, looks like.
var runID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Za-z]{1,26}$`) })

// FindRecord finds a record by a run's id, or in a file that Export wrote. A text in the
// form of an id is a file name only if no run has this id.
func (h *History) FindRecord(ctx context.Context, idOrFile string) (trace.Record, error) {
	if !runID().MatchString(idOrFile) {
		return readBundle(idOrFile)
	}
	rec, err := h.Record(ctx, idOrFile)
	if e := (*tool.Error)(nil); errors.As(err, &e) && e.Code == trace.CodeRunNotFound {
		if _, statErr := os.Stat(idOrFile); statErr == nil {
			return readBundle(idOrFile)
		}
	}
	return rec, err
}

// readBundle reads a record from a file.
func readBundle(name string) (trace.Record, error) {
	b, err := realpath.ReadFile(name, bundle.MaxBytes)
	if _, tooLarge := errors.AsType[*realpath.TooLargeError](err); tooLarge {
		b, err = make([]byte, bundle.MaxBytes+1), nil // bundle.Read says how large it may be
	}
	if err != nil {
		return trace.Record{}, tool.NewError(tool.ValidationError, "file_unreadable", message.New("history.bundle_unreadable", "cause", tool.FileFault(err))).
			WithHint(message.New("history.bundle_unreadable_hint"))
	}
	read, err := bundle.Read(b)
	if err != nil {
		if e := (*tool.Error)(nil); errors.As(err, &e) {
			named := *e
			named.Message = message.New("history.bad_bundle", "file", name, "cause", e.Message)
			return trace.Record{}, &named
		}
		return trace.Record{}, err
	}
	return read.Record(), nil
}
