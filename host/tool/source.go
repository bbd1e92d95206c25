package tool

import "context"

// Source provides tools: a package of the program, the plugins or a remote server. Tools
// returns the current ones.
//
// A tool serves many runs. [CallerFrom] returns the run of a call.
type Source interface {
	Tools(ctx context.Context) ([]Tool, error)
}

// SourceFunc makes a [Source] of a function.
type SourceFunc func(ctx context.Context) ([]Tool, error)

// Tools implements [Source].
func (f SourceFunc) Tools(ctx context.Context) ([]Tool, error) { return f(ctx) }

// Registry is a source that combines other sources. The zero Registry is empty. Register
// all sources before the first use; after that it is safe for concurrent use.
type Registry struct {
	sources []Source
}

// Register adds sources. Their tools follow those of earlier sources.
func (r *Registry) Register(sources ...Source) { r.sources = append(r.sources, sources...) }

// Tools implements [Source]. It fails if any source fails.
func (r *Registry) Tools(ctx context.Context) ([]Tool, error) {
	var all []Tool
	for _, source := range r.sources {
		tools, err := source.Tools(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, tools...)
	}
	return all, nil
}
