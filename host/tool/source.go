package tool

import "context"

// Source gives tools: a package of the program, the plugins, a server of
// somebody else's. Tools returns those that it has now.
//
// A tool serves many runs. It learns from the context of a call which run
// called it ([CallerFrom]).
type Source interface {
	Tools(ctx context.Context) ([]Tool, error)
}

// SourceFunc is a function as a [Source].
type SourceFunc func(ctx context.Context) ([]Tool, error)

// Tools implements [Source].
func (f SourceFunc) Tools(ctx context.Context) ([]Tool, error) { return f(ctx) }

// Registry is a source that gathers the tools of other sources. The zero
// Registry is empty. Register the sources before the first use; after that it
// may be used by several goroutines.
type Registry struct {
	sources []Source
}

// Register adds sources, whose tools come after those of the earlier ones.
func (r *Registry) Register(sources ...Source) { r.sources = append(r.sources, sources...) }

// Tools implements [Source]. The first source that fails fails it.
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
