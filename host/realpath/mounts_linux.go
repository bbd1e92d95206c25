package realpath

import (
	"os"
	"strconv"
	"strings"
)

// ReadMounts returns the mounted file systems as this program sees them. There are none if
// the kernel doesn't tell.
func ReadMounts() Mounts {
	text, _ := os.ReadFile("/proc/self/mountinfo")
	return parseMounts(string(text))
}

// parseMounts parses the format of /proc/self/mountinfo, see proc(5). It skips lines of
// another format.
func parseMounts(text string) (all Mounts) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line) // id, parent, device, folder, mount point, options …
		if len(fields) > 5 && strings.HasPrefix(fields[3], "/") {
			all = append(all, mount{point: unescape(fields[4]), system: fields[2], folder: unescape(fields[3])})
		}
	}
	return all
}

// unescape replaces octal escapes such as \040.
func unescape(path string) string {
	var b strings.Builder
	for len(path) > 0 {
		if path[0] == '\\' && len(path) >= 4 {
			if n, err := strconv.ParseUint(path[1:4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				path = path[4:]
				continue
			}
		}
		b.WriteByte(path[0])
		path = path[1:]
	}
	return b.String()
}
