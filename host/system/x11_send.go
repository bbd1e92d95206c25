//go:build unix && !darwin

package system

import (
	"context"
	"os"
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
