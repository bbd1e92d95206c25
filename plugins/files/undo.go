//go:build wasip1

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"strconv"
	"syscall"

	"errand/plugins/guest"
)

// undoFolder deletes a folder that was made, while it is the same one and
// empty. The time of its last change is left out: undoing what was made in it
// later would change that.
func undoFolder(p string, info fs.FileInfo) *guest.Inverse {
	return undo("files.delete_folder", p, "folder"+ino(info))
}

// undoFile deletes a file that was made, while it is the same one and holds
// what was written.
func undoFile(p string, info fs.FileInfo, content string) *guest.Inverse {
	sum := sha256.Sum256([]byte(content))
	return undo("files.delete_file", p, "file"+ino(info)+" size="+strconv.Itoa(len(content))+" sha256="+hex.EncodeToString(sum[:]))
}

func undo(tool, p, unchanged string) *guest.Inverse {
	return &guest.Inverse{Tool: tool, Args: map[string]any{"path": p, "if_unchanged": unchanged}}
}

// ino states the inode, where the host's system has one.
func ino(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Ino != 0 {
		return " ino=" + strconv.FormatUint(st.Ino, 10)
	}
	return ""
}
