package mount

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReachable checks which folders show the files of another, because they are mounted
// there.
func TestReachable(t *testing.T) {
	const text = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 8:2 / /home rw - ext4 /dev/sda2 rw
31 22 8:3 / /data rw - ext4 /dev/sda3 rw
40 30 8:2 /me/.config/errand /home/me/Documents/cfg rw - ext4 /dev/sda2 rw
41 30 8:2 /me/.config/errand/recipes /home/me/Music/r rw - ext4 /dev/sda2 rw
42 30 8:2 / /home/me/all rw - ext4 /dev/sda2 rw
43 22 8:2 /me/.config /srv/a\040b rw - ext4 /dev/sda2 rw
44 30 8:3 /me/.config/errand /home/me/Pictures/x rw - ext4 /dev/sda3 rw
45 30 8:2 /me/.config/errand2 /home/me/Videos/x rw - ext4 /dev/sda2 rw
46 30 8:2 /me/.config/errand /home/me/old rw - ext4 /dev/sda2 rw
47 46 8:3 /empty /home/me/old rw - ext4 /dev/sda3 rw
bad line
`
	m := parse(text)
	if len(m.mounts) != 11 {
		t.Fatalf("%d mounts: %v", len(m.mounts), m)
	}
	for dir, want := range map[string]bool{
		"/home/me/Documents":       true,  // a mount below it
		"/home/me/Documents/cfg":   true,  // a mount
		"/home/me/Documents/cfg/a": true,  // in a mount
		"/home/me/Documents/other": false, // beside the mount
		"/home/me/Music":           true,  // a part of the place
		"/home/me/all/me":          true,  // the whole disk
		"/home/me/all/you":         false, // another folder of it
		"/srv/a b":                 true,  // a name with a space
		"/srv":                     true,
		"/home/me/Pictures":        false, // the same path of another disk
		"/home/me/Videos":          false, // a name that begins like it
		"/home/me/old":             false, // covered by a later mount
		"/data":                    false,
	} {
		own, _ := m.Locate("/home/me/.config/errand")
		if got := own.Overlaps(m.Reachable(dir)); got != want {
			t.Errorf("%s: %v", dir, got)
		}
	}
}

const table = `1 0 8:1 / / rw - ext4 /dev/sda1 rw
2 1 8:2 / /home rw - ext4 /dev/sda2 rw
3 2 8:2 /me/private /home/me/docs/alias rw - ext4 /dev/sda2 rw
4 2 8:2 /me/private/s.txt /home/me/docs/al.txt rw - ext4 /dev/sda2 rw
5 2 8:1 /srv/nas /home/me/docs/nas rw - ext4 /dev/sda1 rw
6 5 8:1 /srv/other /home/me/docs/nas/in rw - ext4 /dev/sda1 rw
7 2 0:40 / /home/me/usb rw - vfat /dev/sdb1 rw
8 2 0:41 /me/private /home/me/disk rw - ext4 /dev/sdc1 rw
9 2 8:2 /me/private /home/me/cover/deep rw - ext4 /dev/sda2 rw
10 2 0:42 / /home/me/cover rw - tmpfs tmpfs rw
11 2 8:2 /you /home/me/twice rw - ext4 /dev/sda2 rw
12 11 8:2 /me/private /home/me/twice rw - ext4 /dev/sda2 rw
`

// TestOthers lists the other paths of a file.
func TestOthers(t *testing.T) {
	for path, want := range map[string][]string{
		"/home/me/private/s.txt":       {"/home/me/docs/alias/s.txt", "/home/me/docs/al.txt", "/home/me/twice/s.txt"},
		"/home/me/docs/alias/s.txt":    {"/home/me/private/s.txt", "/home/me/docs/al.txt", "/home/me/twice/s.txt"},
		"/home/me/docs/al.txt":         {"/home/me/private/s.txt", "/home/me/docs/alias/s.txt", "/home/me/twice/s.txt"},
		"/home/me/docs/alias":          {"/home/me/private", "/home/me/twice"},
		"/home/me/private2/s.txt":      nil, // a name that begins like it
		"/home/me/docs/nas/p.jpg":      {"/srv/nas/p.jpg"},
		"/srv/nas/p.jpg":               {"/home/me/docs/nas/p.jpg"},
		"/srv/nas/in/p.jpg":            nil, // another mount covers it
		"/home/me/docs/nas/in/p.jpg":   {"/srv/other/p.jpg"},
		"/home/me/usb/x":               nil,
		"/home/me/disk/s.txt":          nil, // the same folder of another disk
		"/home/me/cover/deep/s.txt":    nil, // hidden
		"/home/me/cover":               nil,
		"/home/you/x":                  nil, // hidden by a second mount at the same path
		"/home/me/twice/s.txt":         {"/home/me/private/s.txt", "/home/me/docs/alias/s.txt", "/home/me/docs/al.txt"},
		"/home/me/private/new/new.txt": {"/home/me/docs/alias/new/new.txt", "/home/me/twice/new/new.txt"},
	} {
		got := parse(table).Others(path)
		slices.Sort(got)
		slices.Sort(want)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
	if got := (Table{}).Others("/x"); got != nil {
		t.Errorf("no table: %v", got)
	}
}

// TestBelow lists the mounts in a folder.
func TestBelow(t *testing.T) {
	for path, want := range map[string][]string{
		"/home/me/docs":       {"/home/me/docs/al.txt", "/home/me/docs/alias", "/home/me/docs/nas", "/home/me/docs/nas/in"},
		"/home/me/docs/alias": {"/home/me/docs/alias"},
		"/home/me/docs/al":    nil,
		"/home/me/private":    nil,
		"/home/me/cover":      {"/home/me/cover"},
		"/home/me/twice":      {"/home/me/twice"},
		"/srv":                nil,
	} {
		if d := cmp.Diff(want, parse(table).Below(path)); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

// TestWithoutARoot checks a table whose root is not a mount, as in a chroot.
func TestWithoutARoot(t *testing.T) {
	m := parse("5 4 8:1 /a /x rw - ext4 /dev/sda1 rw\n6 4 8:1 /a/b /y rw - ext4 /dev/sda1 rw\n")
	if d := cmp.Diff([]string{"/y/c"}, m.Others("/x/b/c")); d != "" {
		t.Error(d)
	}
	if _, ok := m.Locate("/z"); ok {
		t.Error("a path on no mount has a location")
	}
}
