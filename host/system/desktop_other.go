//go:build !unix || darwin

package system

import (
	"context"

	"errand/planner/message"
)

// desktop knows no windows here, because this platform's window system requires
// linking to it.
func desktop(context.Context) windows { return windows{front: -1} }

func closeWindow(context.Context, uint32) error { return message.Error("system.windows_need_x11") }

func activateWindow(context.Context, uint32) error { return message.Error("system.windows_need_x11") }
