package wasm

import (
	"context"

	"errand/host/wasm/engine"
)

// Foresight is how a module's calls will be done, as far as the module itself
// tells.
type Foresight = engine.Foresight

// Foresee tells how a module's calls will be done. No code is made or run. The
// error, a *tool.Error, is why it can't be run, and is what compiling it would
// answer.
func Foresee(ctx context.Context, m Module) (Foresight, error) {
	f, err := engine.Foresee(ctx, m.Bytes)
	return f, named(err, m.Name)
}
