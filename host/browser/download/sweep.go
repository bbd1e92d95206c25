package download

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	sweepInterval = time.Second
	sweepTime     = 30 * time.Second // after the last denied download
)

// startSweep makes sure that the data of denied downloads is deleted in the next
// sweepTime. Cancelling alone is not enough: Chromium may be renaming the complete file,
// which it then keeps, and a change of its switch ends the events of running downloads.
func (ds *Permits) startSweep() {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if !ds.sweeping {
		ds.sweeping = true
		go ds.sweep()
	}
}

func (ds *Permits) sweep() {
	tick := time.NewTicker(sweepInterval)
	defer tick.Stop()
	for last := time.Now(); ; {
		select {
		case <-ds.o.Life.Done():
			return
		case <-tick.C:
		}
		found := ds.sweepOnce()
		ds.mu.Lock()
		maps.DeleteFunc(ds.deniedAt, func(_ string, at time.Time) bool { return time.Since(at) > sweepTime })
		if found || len(ds.deniedAt) > 0 || len(ds.byTab) > 0 {
			last = time.Now()
		}
		if time.Since(last) > sweepTime {
			ds.sweeping = false
			ds.mu.Unlock()
			return
		}
		ds.mu.Unlock()
	}
}

// sweepOnce deletes the files of denied downloads, and all files if no page may download.
// It reports whether there were any.
func (ds *Permits) sweepOnce() (found bool) {
	ds.setting.Lock() // so that no permission is given meanwhile
	defer ds.setting.Unlock()
	entries, _ := os.ReadDir(ds.o.Folder())
	for _, e := range entries {
		ds.mu.Lock()
		_, denied := ds.deniedAt[strings.TrimSuffix(e.Name(), ".crdownload")]
		ds.mu.Unlock()
		if denied || ds.open == 0 {
			found = true
			_ = os.Remove(filepath.Join(ds.o.Folder(), e.Name()))
		}
	}
	return found
}
