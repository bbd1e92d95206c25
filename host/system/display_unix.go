//go:build unix && !darwin

package system

import (
	"net"
	"os"
	"path/filepath"
	"time"

	"errand/planner/message"
)

// displayWait bounds a connection to a display of this machine.
const displayWait = time.Second

// missingDisplay says why a window can't be shown: no display is set, or none of those
// that are set answers. The zero message means that one answers, or that it is on
// another machine.
func missingDisplay() message.Message {
	wayland, x := os.Getenv("WAYLAND_DISPLAY"), os.Getenv("DISPLAY")
	if socket := waylandSocket(wayland); socket != "" && answers(socket) {
		return message.Message{}
	}
	if number, local := displayNumber(x); x != "" && (!local || answers("/tmp/.X11-unix/X"+number) || answers("@/tmp/.X11-unix/X"+number)) {
		return message.Message{}
	}
	switch {
	case x != "":
		return message.New("system.display_gone", "display", x)
	case wayland != "":
		return message.New("system.display_gone", "display", wayland)
	}
	return message.New("system.display_unset")
}

// waylandSocket is the socket that a program connects to if WAYLAND_DISPLAY has this
// value; "": it looks for none.
func waylandSocket(display string) string {
	if filepath.IsAbs(display) {
		return display
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		return ""
	}
	if display == "" {
		display = "wayland-0"
	}
	return filepath.Join(dir, display)
}

// answers reports whether a server accepts connections at a socket. A name that begins
// with @ is in the abstract namespace of Linux.
func answers(socket string) bool {
	conn, err := net.DialTimeout("unix", socket, displayWait)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}
