package realpath

import "testing"

// TestReachable checks that a folder overlaps a place that is mounted in it, or it in the
// place.
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
	m := parseMounts(text)
	if len(m) != 11 {
		t.Fatalf("%d mounts: %v", len(m), m)
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
