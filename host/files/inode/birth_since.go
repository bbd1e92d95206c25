package inode

import (
	"io/fs"
	"os"
	"strconv"
	"time"
)

// clockStep is how late the times of files may be.
const clockStep = 10 * time.Millisecond

// IsBornSince reports whether a file was created after a time. It is false if the file system
// does not say.
func IsBornSince(dir *os.Root, name string, info fs.FileInfo, at time.Time) bool {
	born, err := strconv.ParseInt(BirthTime(dir, name, info), 10, 64)
	return err == nil && born >= at.Add(-clockStep).UnixNano()
}
