package mount

import (
	"os"
	"strconv"
	"strings"
)

// Read returns what is mounted now, as this program sees it. The table is empty if the kernel
// doesn't tell.
func Read() Table {
	text, _ := os.ReadFile("/proc/self/mountinfo")
	return parse(string(text))
}

// parse parses the format of /proc/self/mountinfo, see proc(5). It skips lines of another
// format.
func parse(text string) Table {
	var all []entry
	for line := range strings.Lines(text) {
		fields := strings.Fields(line) // id, parent, device, folder, mount point, options …
		if len(fields) > 5 && strings.HasPrefix(fields[3], "/") {
			all = append(all, entry{
				id: fields[0], parent: fields[1], system: fields[2],
				folder: unescape(fields[3]), point: unescape(fields[4]),
			})
		}
	}
	return newTable(all)
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
