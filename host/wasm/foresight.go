package wasm

import (
	"context"

	"errand/host/wasm/engine"
)

// Foresight is how a module's calls will run, as far as the module itself shows.
type Foresight = engine.Foresight

// Foresee reports how a module's calls will run, without compiling or running it.
// If the module can't run, the error is the *tool.Error that compiling it would
// return. effort is that of [Options].Effort for the plugin; 0 means 1. It returns when
// ctx ends.
func Foresee(ctx context.Context, m Module, effort int) (Foresight, error) {
	f, err := engine.Foresee(ctx, m.Bytes, effort)
	return f, withModuleName(err, m.Name)
}
