package redact

import (
	"context"
	"log/slog"
)

// Handler wraps a log handler so that messages and attributes are redacted. Attributes
// in groups are redacted by their own names.
func (r *Redactor) Handler(h slog.Handler) slog.Handler { return handler{r, h} }

type handler struct {
	r    *Redactor
	next slog.Handler
}

func (h handler) Enabled(ctx context.Context, l slog.Level) bool { return h.next.Enabled(ctx, l) }

func (h handler) Handle(ctx context.Context, rec slog.Record) error {
	clean := slog.NewRecord(rec.Time, rec.Level, h.r.Text(rec.Message), rec.PC)
	rec.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(h.attr(a))
		return true
	})
	return h.next.Handle(ctx, clean)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = h.attr(a)
	}
	return handler{h.r, h.next.WithAttrs(clean)}
}

func (h handler) WithGroup(name string) slog.Handler { return handler{h.r, h.next.WithGroup(name)} }

func (h handler) attr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindGroup:
		group := v.Group()
		clean := make([]slog.Attr, len(group))
		for i, g := range group {
			clean[i] = h.attr(g)
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(clean...)}
	case slog.KindString:
		return slog.String(a.Key, h.r.redactNamed(a.Key, v.String()))
	case slog.KindInt64, slog.KindUint64, slog.KindFloat64, slog.KindAny:
		return slog.Any(a.Key, h.r.walk(a.Key, v.Any()))
	}
	return slog.Attr{Key: a.Key, Value: v} // times, durations, booleans
}
