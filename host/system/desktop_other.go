//go:build !unix || darwin

package system

import "context"

// desktop knows no windows here, because this platform's window system requires
// linking to it.
func desktop(context.Context) windows { return windows{front: -1} }
