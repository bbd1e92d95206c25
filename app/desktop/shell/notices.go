package shell

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"errand/app/desktop"
)

// notices shows notifications one after the other. A bus that does not answer delays only the
// next notifications.
type notices struct {
	mu    sync.Mutex
	ready bool
	count int
}

func (n *notices) show(s *Shell, notice desktop.Notice) {
	if !n.mu.TryLock() {
		return // the notification before waits for its service, so this one would too
	}
	defer n.mu.Unlock()
	s.withToolkit(func(ctx context.Context) {
		began := time.Now()
		if !n.ready {
			if err := runtime.InitializeNotifications(ctx); err != nil {
				s.log.Info("no notifications", "error", err)
				return
			}
			n.ready = true
		}
		n.count++
		err := runtime.SendNotification(ctx, runtime.NotificationOptions{
			ID: "errand-" + strconv.Itoa(n.count), Title: notice.Title, Body: notice.Body,
		})
		s.log.Info("notified", "title", notice.Title, "error", err, "took", time.Since(began))
	})
}

func (n *notices) close(ctx context.Context) {
	if n.mu.TryLock() {
		defer n.mu.Unlock()
		if n.ready {
			runtime.CleanupNotifications(ctx)
			n.ready = false
		}
	}
}
