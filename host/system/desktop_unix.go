//go:build unix && !darwin

package system

import (
	"context"
	"encoding/binary"
	"os"
	"strings"
	"time"
)

// desktop reads the windows of the X server in DISPLAY from properties of the
// Extended Window Manager Hints (_NET_ACTIVE_WINDOW, _NET_CLIENT_LIST,
// _NET_WM_PID). Errors only leave values unknown: Wayland does not provide them,
// and a server may be gone.
func desktop(ctx context.Context) windows {
	none := windows{front: -1}
	deadline := time.Now().Add(desktopWait)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	x, err := dialX(os.Getenv("DISPLAY"), deadline)
	if err != nil {
		return none
	}
	defer x.close()

	ids := x.cards(x.root, x.atom("_NET_CLIENT_LIST"))
	active := uint32(0)
	if front := x.cards(x.root, x.atom("_NET_ACTIVE_WINDOW")); len(front) > 0 {
		active = front[0]
	}
	pidAtom := x.atom("_NET_WM_PID")
	for _, id := range ids {
		none.list = append(none.list, x.window(id, pidAtom))
		if id == active {
			none.front = len(none.list) - 1
		}
	}
	if active != 0 && none.front < 0 {
		none.list = append(none.list, x.window(active, pidAtom))
		none.front = len(none.list) - 1
	}
	if x.err != nil {
		return windows{front: -1}
	}
	return none
}

func (x *xConn) window(id, pidAtom uint32) window {
	w := window{id: id}
	if pid := x.cards(id, pidAtom); len(pid) > 0 {
		w.pid = int32(pid[0])
	}
	// WM_CLASS is two NUL-terminated strings (ICCCM 4.1.2.5).
	w.instance, w.class, _ = strings.Cut(string(x.property(id, atomWMClass)), "\x00")
	w.class = strings.TrimRight(w.class, "\x00")
	return w
}

// cards reads a property of 32-bit values.
func (x *xConn) cards(window, property uint32) []uint32 {
	b := x.property(window, property)
	out := make([]uint32, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		out = append(out, binary.LittleEndian.Uint32(b))
	}
	return out
}
