package chromium

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"errand/host/browser/transfer"
	"errand/host/tool"
)

// Profiles are the named profiles below a folder: browsers that remember what
// they were told, such as a login, from one run to the next.
//
//	<dir>/work/
//	    owner      who uses it, as a [Holder]; locked for as long as that lives
//	    output     a link to the output of the browser that uses it
//	    data/      Chromium's --user-data-dir
//
// One browser at a time uses a profile. Several programs may use the same Dir.
type Profiles struct {
	Dir string // absolute; made when it is first needed
}

// Profile is one of them, as it is on the disk.
type Profile struct {
	Name  string    `json:"name"`
	Path  string    `json:"path"`
	Size  int64     `json:"size"` // bytes
	Used  time.Time `json:"used"` // when it was last started
	InUse *Holder   `json:"in_use,omitempty"`
}

// profileName keeps names that are one folder on every file system.
var profileName = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?$`)

// CheckProfileName says what is wrong with a profile's name; nil for a good one.
func CheckProfileName(name string) error {
	if !profileName.MatchString(name) || transfer.IsDevice(name) {
		return fmt.Errorf("%q is no name of a profile: up to 32 small letters, digits, - and _, such as \"work\"", name)
	}
	return nil
}

// profileLock is a named profile in use.
type profileLock struct {
	path  string
	owner *os.File
}

func (n *profileLock) data() string { return filepath.Join(n.path, dataName) }

// acquire takes a profile, making it where it does not exist. What a browser left
// behind that died with its program is ended first.
func (p Profiles) acquire(name string, now time.Time) (*profileLock, error) {
	if err := CheckProfileName(name); err != nil {
		return nil, tool.Errorf(tool.ValidationError, "bad_profile_name", "%v", err)
	}
	if !filepath.IsAbs(p.Dir) {
		return nil, errors.New("open browser profile: no folder for profiles is given")
	}
	n := &profileLock{path: filepath.Join(p.Dir, name)}
	if err := os.MkdirAll(n.path, 0o700); err != nil {
		return nil, fmt.Errorf("open browser profile: %w", err)
	}
	if info, err := os.Lstat(n.path); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("open browser profile: %s is not a folder", n.path)
	}
	var err error
	if n.owner, err = openOwner(n.path); errors.Is(err, errInUse) {
		return nil, inUseError(name, holderOf(n.path).String())
	} else if err != nil {
		return nil, fmt.Errorf("open browser profile: %w", err)
	}
	if err := n.take(name, now); err != nil {
		return nil, errors.Join(err, n.owner.Close())
	}
	return n, nil
}

func (n *profileLock) take(name string, now time.Time) error {
	if pid := findOtherBrowser(n.path); pid != 0 {
		return inUseError(name, fmt.Sprintf("a browser that Errand did not start (process %d)", pid))
	}
	if err := writeHolder(n.owner, now); err != nil {
		return fmt.Errorf("open browser profile: %w", err)
	}
	if !endUsers(n.path, time.Now().Add(endTimeout)) {
		return inUseError(name, "a browser that is still ending")
	}
	if err := removeSessions(n.data()); err != nil {
		return err
	}
	// These contain the host's name: on a machine that was renamed Chromium would
	// refuse to start. The profile is not in use; see above.
	for _, stale := range []string{"SingletonLock", "SingletonSocket", "SingletonCookie"} {
		_ = os.Remove(filepath.Join(n.data(), stale))
	}
	return nil
}

// release lets go of the lock; the profile stays.
func (n *profileLock) release() error {
	if n == nil {
		return nil
	}
	return errors.Join(removeSessions(n.data()), n.owner.Close())
}

// removeSessions removes Chromium's notes for opening a profile's windows again: the
// address of each page and the values of its fields.
func removeSessions(data string) error {
	return removeAll(filepath.Join(data, "Default", "Sessions"))
}

func inUseError(name, by string) *tool.Error {
	return tool.Errorf(tool.ToolUnavailable, "profile_in_use", "use browser profile %q: it is in use by %s", name, by).
		WithHint("wait until that has ended, close its window, or use another profile")
}

// List tells of all profiles, by name. A folder that does not exist has none.
func (p Profiles) List() ([]Profile, error) {
	entries, err := os.ReadDir(p.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list browser profiles: %w", err)
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
		return nil // what goes away while it is looked at has no size
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

// Remove deletes a profile with all that it remembers. One that is in use is
// left alone. Errors are *tool.Error.
func (p Profiles) Remove(name string) error {
	path := filepath.Join(p.Dir, name)
	if CheckProfileName(name) == nil {
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			return p.remove(name)
		}
	}
	e := tool.Errorf(tool.ValidationError, "no_such_profile", "there is no browser profile %q", name)
	if list, err := p.List(); err == nil && len(list) > 0 {
		var names []string
		for _, known := range list {
			names = append(names, known.Name)
		}
		return e.WithHint("there are %s", strings.Join(names, ", "))
	}
	return e
}

func (p Profiles) remove(name string) error {
	n, err := p.acquire(name, time.Now())
	if err != nil {
		return tool.AsError(err)
	}
	// The lock goes last: a program that waits for the profile finds it removed.
	return errors.Join(removeAll(n.data()), removeAll(n.path), n.release())
}

// Sweep ends the browsers that outlived the programs that used the profiles, and
// keeps the profiles, but for what was typed in them.
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
			_ = removeSessions(filepath.Join(path, dataName)) // otherwise the next user does, and reports the error
		}
		owner.Close()
	}
}
