package filestate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strings"

	"errand/host/tool"
)

// Bind compares an open file with the state of a regular file, by what it is bound to:
// its content, or the stamp of a large one. It returns nil if they differ. Otherwise
// isSame reports whether the file has not been changed since, as far as the times of the
// system tell. Bind does not move the file's offset.
func Bind(ctx context.Context, s tool.FileState, f *os.File) (isSame func() bool) {
	stamp := func() string {
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return ""
		}
		return Stamp(info)
	}
	opened := stamp()
	switch {
	case opened == "" || s.Kind != tool.FileRegular:
		return nil
	case s.SHA256 != "":
		h := sha256.New()
		n, err := io.Copy(h, tool.NewReader(ctx, io.NewSectionReader(f, 0, s.Size+1)))
		if err != nil || n != s.Size || hex.EncodeToString(h.Sum(nil)) != s.SHA256 || stamp() != opened {
			return nil
		}
	case !strings.HasSuffix(s.Mark, " "+opened):
		return nil
	}
	return func() bool { return stamp() == opened }
}
