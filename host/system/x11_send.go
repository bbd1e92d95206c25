//go:build unix && !darwin

package system

import (
	"context"
	"os"
	"slices"
	"time"
)

// Client messages to the root window, which a window manager reads (Extended Window Manager Hints).
const (
	opSendEvent    = 25
	clientMessage  = 33
	redirectNotify = 1<<19 | 1<<20 // SubstructureNotify and SubstructureRedirect
	asPager        = 2             // the source indication of programs that act for the user
	sendWait       = time.Second
)

// closeWindow asks the window manager to close a window as its close button does.
func closeWindow(ctx context.Context, id uint32) error {
	return sendToManager(ctx, "_NET_CLOSE_WINDOW", id, [5]uint32{0, asPager})
}

// activateWindow asks the window manager to bring a window to the front.
func activateWindow(ctx context.Context, id uint32) error {
	return sendToManager(ctx, "_NET_ACTIVE_WINDOW", id, [5]uint32{asPager})
}

// The states of a window in WM_STATE (Inter-Client Communication Conventions Manual 4.1.3.1), and of a
// change of _NET_WM_STATE.
const (
	iconicState = 3
	removeState = 0
	addState    = 1
)

// minimizeWindow asks the window manager to minimize a window.
func minimizeWindow(ctx context.Context, id uint32) error {
	return sendToManager(ctx, "WM_CHANGE_STATE", id, [5]uint32{iconicState})
}

// maximizeWindow asks the window manager to maximize a window, or to end that.
func maximizeWindow(ctx context.Context, id uint32, maximized bool) error {
	x, err := dialX(os.Getenv("DISPLAY"), time.Now().Add(sendWait))
	if err != nil {
		return err
	}
	vertical, horizontal := x.atom("_NET_WM_STATE_MAXIMIZED_VERT"), x.atom("_NET_WM_STATE_MAXIMIZED_HORZ")
	x.close()
	change := uint32(removeState)
	if maximized {
		change = addState
	}
	return sendToManager(ctx, "_NET_WM_STATE", id, [5]uint32{change, vertical, horizontal, asPager})
}

// readWindowState reads whether a window is minimized and maximized.
func readWindowState(id uint32) (s windowState) {
	x, err := dialX(os.Getenv("DISPLAY"), time.Now().Add(sendWait))
	if err != nil {
		return s
	}
	defer x.close()
	if state := x.cards(id, x.atom("WM_STATE")); len(state) > 0 {
		s.minimized = state[0] == iconicState
	}
	all := x.cards(id, x.atom("_NET_WM_STATE"))
	s.maximized = slices.Contains(all, x.atom("_NET_WM_STATE_MAXIMIZED_VERT")) && slices.Contains(all, x.atom("_NET_WM_STATE_MAXIMIZED_HORZ"))
	return s
}

func sendToManager(ctx context.Context, kind string, window uint32, data [5]uint32) error {
	deadline := time.Now().Add(sendWait)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	x, err := dialX(os.Getenv("DISPLAY"), deadline)
	if err != nil {
		return err
	}
	defer x.close()
	req := []byte{opSendEvent, 0, 11, 0}
	for _, v := range []uint32{x.root, redirectNotify} {
		req = little.AppendUint32(req, v)
	}
	req = append(req, clientMessage, 32, 0, 0)
	for _, v := range append([]uint32{window, x.atom(kind)}, data[:]...) {
		req = little.AppendUint32(req, v)
	}
	if x.err != nil {
		return x.err
	}
	if _, err := x.conn.Write(req); err != nil {
		return err
	}
	x.atom(kind) // the server has read the event when it answers
	return x.err
}
