package tool

import "context"

// Source provides tools: a package of the program, the plugins or a remote server. Tools
// returns the current ones. Those that use files may also use the folders of [FoldersFrom].
//
// A tool serves many runs. [CallerFrom] returns the run of a call.
type Source interface {
	Tools(ctx context.Context) ([]Tool, error)
}

type foldersKey struct{}

// WithFolders returns a context in which a [Source] returns tools that may use these folders
// beside those of the configuration. They are absolute and clean.
func WithFolders(ctx context.Context, folders []string) context.Context {
	return context.WithValue(ctx, foldersKey{}, folders)
}

// FoldersFrom returns the folders that [WithFolders] added to ctx.
func FoldersFrom(ctx context.Context) []string {
	folders, _ := ctx.Value(foldersKey{}).([]string)
	return folders
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
