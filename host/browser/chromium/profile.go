package chromium

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"errand/host/browser/transfer"
	"errand/host/tool"
	"errand/planner/message"
)

// Profiles are the named profiles in a folder. A browser with a profile keeps logins and
// other state between runs.
//
//	<dir>/work/
//	    owner      the current user as a [Holder]; locked while that process lives
//	    output     a link to the output of the browser that uses it
//	    data/      Chromium's --user-data-dir
//
// Only one browser at a time can use a profile. Several programs may use the same Dir.
type Profiles struct {
	Dir string // absolute; created on first use
}

// Profile describes a profile on disk.
type Profile struct {
	Name  string    `json:"name"`
	Path  string    `json:"path"`
	Size  int64     `json:"size"` // bytes
	Used  time.Time `json:"used"` // when it was last used
	InUse *Holder   `json:"in_use,omitempty"`
}

// profileName matches names that are a valid folder name on every file system.
var profileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?$`) })

// CheckProfileName returns an error for an invalid profile name.
func CheckProfileName(name string) error {
	if !profileName().MatchString(name) || transfer.IsDevice(name) {
		return message.Error("browser.bad_profile_name", "name", name)
	}
	return nil
}

// profileLock is the lock on a profile in use.
type profileLock struct {
	path  string
	owner *os.File
}

func (n *profileLock) data() string { return filepath.Join(n.path, dataName) }

// acquire locks a profile and creates it if necessary. It first ends a browser that
// outlived its program.
func (p Profiles) acquire(name string, now time.Time) (*profileLock, error) {
	if err := CheckProfileName(name); err != nil {
		return nil, tool.NewError(tool.ValidationError, "bad_profile_name", message.FromError(err))
	}
	if !filepath.IsAbs(p.Dir) {
		return nil, message.Error("browser.open_profile_no_folder")
	}
	n := &profileLock{path: filepath.Join(p.Dir, name)}
	if err := os.MkdirAll(n.path, 0o700); err != nil {
		return nil, message.Error("browser.open_profile", "cause", err)
	}
	if info, err := os.Lstat(n.path); err != nil || !info.IsDir() {
		return nil, message.Error("browser.profile_not_folder", "path", n.path)
	}
	var err error
	if n.owner, err = openOwner(n.path); errors.Is(err, errInUse) {
		return nil, inUseError(name, holderOf(n.path).Message())
	} else if err != nil {
		return nil, message.Error("browser.open_profile", "cause", err)
	}
	if err := n.take(name, now); err != nil {
		return nil, errors.Join(err, n.owner.Close())
	}
	return n, nil
}

func (n *profileLock) take(name string, now time.Time) error {
	if pid := findOtherBrowser(n.path); pid != 0 {
		return inUseError(name, message.New("browser.held_by_other_browser", "pid", pid))
	}
	if err := writeHolder(n.owner, now); err != nil {
		return message.Error("browser.open_profile", "cause", err)
	}
	if !endUsers(n.path, time.Now().Add(endTimeout)) {
		return inUseError(name, message.New("browser.held_by_ending_browser"))
	}
	if err := removeSessions(n.data()); err != nil {
		return err
	}
	// These contain the host's name: after a rename of the machine Chromium would refuse
	// to start. The lock shows that the profile is not in use.
	for _, stale := range []string{"SingletonLock", "SingletonSocket", "SingletonCookie"} {
		_ = os.Remove(filepath.Join(n.data(), stale))
	}
	return nil
}

// release releases the lock. The profile stays.
func (n *profileLock) release() error {
	if n == nil {
		return nil
	}
	return errors.Join(removeSessions(n.data()), n.owner.Close())
}

// removeSessions removes Chromium's data for restoring windows, which has the URL of each
// page and the values of its fields.
func removeSessions(data string) error {
	return removeAll(filepath.Join(data, "Default", "Sessions"))
}

func inUseError(name string, by message.Message) *tool.Error {
	return tool.NewError(tool.ToolUnavailable, "profile_in_use", message.New("browser.profile_in_use", "name", name, "by", by)).
		WithHint(message.New("browser.wait_or_other_profile"))
}

// List returns all profiles, sorted by name. A missing folder has none.
func (p Profiles) List() ([]Profile, error) {
	entries, err := os.ReadDir(p.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, message.Error("browser.list_profiles", "cause", err)
	}
	list := []Profile{}
	for _, e := range entries {
		if e.IsDir() && CheckProfileName(e.Name()) == nil {
			list = append(list, p.look(e.Name()))
		}
	}
	slices.SortFunc(list, func(a, b Profile) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

func (p Profiles) look(name string) Profile {
	out := Profile{Name: name, Path: filepath.Join(p.Dir, name)}
	_ = filepath.WalkDir(out.Path, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				out.Size += info.Size()
			}
		}
		return nil // ignore files that disappear during the walk
	})
	f, err := os.OpenFile(filepath.Join(out.Path, ownerName), os.O_RDWR, 0)
	if err != nil {
		return out
	}
	defer f.Close()
	h := readHolder(f)
	out.Used = h.Since
	if lock(f) != nil {
		out.InUse = &h
	}
	return out
}

// Remove deletes a profile with all its data. It fails if the profile is in use. Errors
// are *tool.Error.
func (p Profiles) Remove(name string) error {
	path := filepath.Join(p.Dir, name)
	if CheckProfileName(name) == nil {
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			return p.remove(name)
		}
	}
	e := tool.NewError(tool.ValidationError, "no_such_profile", message.New("browser.no_such_profile", "name", name))
	if list, err := p.List(); err == nil && len(list) > 0 {
		var names []string
		for _, known := range list {
			names = append(names, known.Name)
		}
		return e.WithAlternative(message.New("browser.list_profile_names", "names", names))
	}
	return e
}

func (p Profiles) remove(name string) error {
	n, err := p.acquire(name, time.Now())
	if err != nil {
		return tool.AsError(err)
	}
	// The lock goes last: a waiting program then finds the profile removed.
	return errors.Join(removeAll(n.data()), removeAll(n.path), n.release())
}

// Sweep ends the browsers that outlived their programs. It keeps the profiles, except for
// text typed into pages.
func (p Profiles) Sweep() {
	entries, _ := os.ReadDir(p.Dir)
	deadline := time.Now().Add(endTimeout)
	for _, e := range entries {
		path := filepath.Join(p.Dir, e.Name())
		if _, err := os.Stat(filepath.Join(path, ownerName)); err != nil {
			continue // it is not a profile
		}
		owner, err := openOwner(path)
		if err != nil {
			continue
		}
		if findOtherBrowser(path) == 0 && endUsers(path, deadline) {
			_ = removeSessions(filepath.Join(path, dataName)) // on failure, the next user tries again and reports the error
		}
		owner.Close()
	}
}
