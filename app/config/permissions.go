package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"errand/planner/message"
)

// CheckOwn refuses a file or folder that counts as the user's own, such as a recipe, if other
// users can write it, or replace it in its folder. One that does not exist is accepted.
func CheckOwn(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil
		}
		return err
	}
	return checkPermissions(name, info)
}

// CheckData refuses the data folder, the record, the list of plugins and the keys in it if
// other users can write them: they could add grants and plugins.
func (p Paths) CheckData() error {
	for _, name := range []string{"", "errand.db", "plugins.lock", "mcp.lock", "plugin-code.key", hashKey} {
		if err := CheckOwn(filepath.Join(p.Data, name)); err != nil {
			return err
		}
	}
	return nil
}

// checkPermissions refuses a configuration file that other users can write, or replace in
// its folder: they could grant themselves anything.
func checkPermissions(name string, info fs.FileInfo) error {
	if owner, other := otherOwner(info); other {
		return message.Error("config.owned_by_other", "file", name, "owner", owner)
	}
	if Exposed(name, info)&0o022 != 0 {
		return message.Error("config.writable_by_others", "file", name, "mode", fmt.Sprintf("%04o", info.Mode().Perm()))
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	folders := []string{filepath.Dir(name)}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		folders = append(folders, filepath.Dir(target))
	}
	for _, folder := range slices.Compact(folders) {
		info, err := os.Stat(folder)
		if err != nil || info.Mode()&fs.ModeSticky != 0 { // only the owner can replace a file
			continue
		}
		if Exposed(folder, info)&0o022 != 0 {
			return message.Error("config.folder_writable_by_others", "file", name, "folder", folder, "mode", fmt.Sprintf("%04o", info.Mode().Perm()))
		}
	}
	return nil
}

// Exposed returns the permission bits that let other users in: those for everybody, and
// those of the group unless it is the user's private group. Modes mean nothing on Windows,
// where it returns 0.
func Exposed(path string, info fs.FileInfo) fs.FileMode {
	if runtime.GOOS == "windows" {
		return 0
	}
	exposed := info.Mode().Perm() & 0o007
	if group := info.Mode().Perm() & 0o070; group != 0 && (hasACL(path) || !ownAccounts().isPrivate(info)) {
		exposed |= group
	}
	return exposed
}
