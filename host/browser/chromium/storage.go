package chromium

import (
	"io/fs"
	"path/filepath"
	"time"
)

// storagePool is what all pages together may store, in bytes: files, databases and caches of
// their own. One origin gets about a half of it. Chromium's own limit is a part of the disk.
// Above the pool Chromium removes what was used least, but only now and then.
const storagePool = 512 << 20

// defaultMaxProfile is the default of [Options.MaxProfile].
const defaultMaxProfile = 2 << 30

// storageInterval is the time between two measurements of a profile.
const storageInterval = 2 * time.Second

// watchStorage ends the browser once its profile is larger than the limit: pages of many
// origins can pass Chromium's own limit. It returns when the browser has ended.
func (i *Instance) watchStorage() {
	tick := time.NewTicker(storageInterval)
	defer tick.Stop()
	for {
		if profileSize(i.data(), i.maxProfile()) > i.maxProfile() {
			i.overfull.Store(true)
			kill(i.process.cmd.Process.Pid)
			return
		}
		select {
		case <-tick.C:
		case <-i.Done():
			return
		}
	}
}

func (i *Instance) maxProfile() int64 {
	if i.opts.MaxProfile > 0 {
		return i.opts.MaxProfile
	}
	return defaultMaxProfile
}

// Overfull returns the limit of the profile in bytes, if the browser was ended because pages
// stored more.
func (i *Instance) Overfull() (limit int64, ended bool) {
	return i.maxProfile(), i.overfull.Load()
}

// profileSize returns the size of the files in a folder in bytes. It stops above the limit.
func profileSize(dir string, limit int64) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil { // the browser removes files meanwhile
			return nil
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
		if size > limit {
			return fs.SkipAll
		}
		return nil
	})
	return size
}
