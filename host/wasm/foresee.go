package wasm

import "errand/host/wasm/engine"

// Foresight is how a module's calls will be done, as far as the module itself
// tells.
type Foresight = engine.Foresight

// Foresee tells how a module's calls will be done. Nothing is compiled.
func Foresee(code []byte) Foresight { return engine.Foresee(code) }
