package chromium

import (
	"io/fs"
	"path/filepath"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// storagePool is what all pages together may store, in bytes: files, databases and caches of
// their own. One origin gets about a half of it. Chromium's own limit is a part of the disk.
// Above the pool Chromium removes what was used least, but only now and then.
const storagePool = 512 << 20

// MaxProfile is the default of [Options.MaxProfile].
const MaxProfile = 2 << 30

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

// checkStorage refuses a profile that is larger than the limit already: its browser would be
// ended at once.
func (i *Instance) checkStorage() error {
	if i.profile == nil || profileSize(i.data(), i.maxProfile()) <= i.maxProfile() {
		return nil
	}
	name := i.opts.Profile
	return tool.NewError(tool.ExecutionError, "browser_storage_full", message.New("browser.profile_full", "name", name, "limit", i.maxProfile())).
		WithHint(message.New("browser.storage_full_hint", "profile", name))
}

func (i *Instance) maxProfile() int64 {
	if i.opts.MaxProfile > 0 {
		return i.opts.MaxProfile
	}
	return MaxProfile
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
