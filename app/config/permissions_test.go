//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"errand/build/must"
)

// TestWritableByOthers checks that a configuration that other users can write, or replace
// in its folder, is refused, with the file, the mode and the cure.
func TestWritableByOthers(t *testing.T) {
	private := ownAccounts().isPrivateGroup(os.Getegid())
	for _, tt := range []struct {
		name         string
		file, folder os.FileMode
		want         string // part of the error
		group        bool   // only the group may write
	}{
		{"private", 0o600, 0o700, "", false},
		{"others read", 0o644, 0o755, "", false},
		{"read-only", 0o400, 0o500, "", false},
		{"a program", 0o755, 0o755, "", false},
		{"the group writes", 0o664, 0o755, "0664", true},
		{"the group writes and nobody reads", 0o620, 0o755, "0620", true},
		{"the group writes in the folder", 0o600, 0o775, "0775", true},
		{"others write", 0o602, 0o755, "0602", false},
		{"everybody writes", 0o666, 0o755, "0666", false},
		{"everybody does all", 0o777, 0o755, "0777", false},
		{"others write in the folder", 0o600, 0o757, "0757", false},
		{"everybody writes in the folder", 0o600, 0o777, "0777", false},
		{"a folder such as /tmp", 0o600, 0o777 | os.ModeSticky, "", false},
		{"a file for all in a folder such as /tmp", 0o666, 0o777 | os.ModeSticky, "0666", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			name := filepath.Join(folder, "errand.toml")
			must.Succeed(t, os.WriteFile(name, []byte("[browser]\n"), 0o600))
			must.Succeed(t, os.Chmod(name, tt.file))
			must.Succeed(t, os.Chmod(folder, tt.folder))
			t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
			link := filepath.Join(t.TempDir(), "link.toml")
			must.Succeed(t, os.Symlink(name, link))
			want := tt.want
			if tt.group && private {
				want = ""
			}
			for _, file := range []string{name, link} {
				_, err := Load(Options{File: file, Env: []string{"HOME=" + t.TempDir()}})
				if (err != nil) != (want != "") {
					t.Errorf("%s: %v", file, err)
				}
				if err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file)) {
					t.Errorf("%v does not name %s and the file", err, want)
				}
			}
		})
	}
}

// TestPrivateGroup checks whose group counts as the user's own.
func TestPrivateGroup(t *testing.T) {
	for _, tt := range []struct {
		name, passwd, group string
		want                bool
	}{
		{"created with the user", "ann:x:1000:1000::/home/ann:/bin/sh\n", "ann:x:1000:\n", true},
		{"the user is its member", "ann:x:1000:1000::/:\n", "ann:x:1000:ann\n", true},
		{"a group of another name", "ann:x:1000:1000::/:\n", "own:x:1000:\n", true},
		{"another member", "ann:x:1000:1000::/:\n", "ann:x:1000:bob\n", false},
		{"another member beside the user", "ann:x:1000:1000::/:\n", "ann:x:1000:ann,bob\n", false},
		{"a member in a second line of the group", "ann:x:1000:1000::/:\n", "ann:x:1000:\nann2:x:1000:bob\n", false},
		{"the primary group of two users", "ann:x:1000:1000::/:\nbob:x:1001:1000::/:\n", "ann:x:1000:\n", false},
		{"the user's second group", "ann:x:1000:100::/:\n", "ann:x:1000:\nusers:x:100:\n", false},
		{"a user that is not listed", "bob:x:1001:1001::/:\n", "ann:x:1000:\n", false},
		{"a group that is not listed", "ann:x:1000:1000::/:\n", "users:x:100:\n", false},
		{"damaged lines", "ann\n::\nann:x:1000:1000\n", "ann:x\nann:x:1000:\n", true},
		{"no files", "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			a := accounts{filepath.Join(dir, "passwd"), filepath.Join(dir, "group"), 1000}
			for name, text := range map[string]string{a.passwd: tt.passwd, a.group: tt.group} {
				if text == "" {
					continue
				}
				must.Succeed(t, os.WriteFile(name, []byte(text), 0o600))
			}
			if got := a.isPrivateGroup(1000); got != tt.want {
				t.Errorf("private: %t, want %t", got, tt.want)
			}
		})
	}
}

// TestConfigOfAnotherUser checks that a configuration which belongs to another user is
// refused. Only root can make one, and reads any.
func TestConfigOfAnotherUser(t *testing.T) {
	info, err := os.Stat("/proc/self/exe")
	if err != nil {
		if info, err = os.Stat(os.Args[0]); err != nil {
			t.Fatal(err)
		}
	}
	if uid, other := otherOwner(info); other || uid != os.Geteuid() {
		t.Errorf("this program belongs to %d, another: %t", uid, other)
	}
	s := *info.Sys().(*syscall.Stat_t)
	for uid, want := range map[uint32]bool{0: false, uint32(os.Geteuid()): false, 4242: os.Geteuid() != 0} {
		s.Uid = uid
		if _, other := otherOwner(owned{info, &s}); other != want {
			t.Errorf("a file of user %d belongs to another: %t, want %t", uid, other, want)
		}
	}
}

// owned is a file with another owner.
type owned struct {
	os.FileInfo
	stat *syscall.Stat_t
}

func (o owned) Sys() any { return o.stat }
