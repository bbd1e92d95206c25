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

func minimizeWindow(context.Context, uint32) error { return message.Error("system.windows_need_x11") }

func maximizeWindow(context.Context, uint32, bool) error {
	return message.Error("system.windows_need_x11")
}

func readWindowState(uint32) windowState { return windowState{} }

// CaptureScreen takes no picture here, because this platform's window system requires linking to it.
func CaptureScreen(context.Context) ([]byte, error) {
	return nil, message.Error("system.windows_need_x11")
}
