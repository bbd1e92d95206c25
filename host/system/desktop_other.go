//go:build !unix || darwin

package system

import "context"

// desktop knows nothing here: there is no window system that tells without
// linking against it.
func desktop(context.Context) windows { return windows{front: -1} }
