package wasm

import "errand/host/wasm/engine"

// Foresight is how a module's calls will be done, as far as the module itself
// tells.
type Foresight = engine.Foresight

// Foresee tells how a module's calls will be done. Nothing is compiled. The error,
// a *tool.Error, is why it can't be run, where that shows before compiling.
func Foresee(code []byte) (Foresight, error) { return engine.Foresee(code) }
