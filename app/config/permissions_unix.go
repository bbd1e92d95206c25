//go:build unix

package config

import (
	"bufio"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// otherOwner returns the user id of a file's owner, and whether that is neither this user
// nor root.
func otherOwner(info fs.FileInfo) (uid int, other bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	me := os.Geteuid()
	return int(s.Uid), me != 0 && s.Uid != 0 && int(s.Uid) != me
}

// accounts are the files that list users and groups, and the user whose private group is
// asked about.
type accounts struct {
	passwd, group string
	uid           int
}

func ownAccounts() accounts { return accounts{"/etc/passwd", "/etc/group", os.Geteuid()} }

// isPrivate reports whether the group of a file is the user's private group, which many
// systems create with each user: it is the user's primary group, no other user has it as
// the primary one, and it has no other members. A group that the files do not list is not
// private.
func (a accounts) isPrivate(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && a.isPrivateGroup(int(s.Gid))
}

func (a accounts) isPrivateGroup(gid int) bool {
	me := ""
	for _, f := range fields(a.passwd) { // name:password:uid:gid:…
		if len(f) < 4 || f[3] != strconv.Itoa(gid) {
			continue
		}
		if f[2] != strconv.Itoa(a.uid) {
			return false
		}
		me = f[0]
	}
	listed := false
	for _, f := range fields(a.group) { // name:password:gid:members
		if len(f) < 4 || f[2] != strconv.Itoa(gid) {
			continue
		}
		listed = true
		if slices.ContainsFunc(strings.Split(f[3], ","), func(member string) bool { return member != "" && member != me }) {
			return false
		}
	}
	return me != "" && listed
}

// fields are the fields of the lines of a file; none if it can't be read.
func fields(file string) (lines [][]string) {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, strings.Split(s.Text(), ":"))
	}
	return lines
}
