package plugincmd

import (
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/plugins/author"
	"errand/host/tool"
	"errand/planner/message"
)

// inputOf reads a plugin's input: text, @file, or - for standard input.
func (s commands) inputOf(text string) ([]byte, error) {
	if text == "-" {
		text, err := s.ReadInput()
		return []byte(text), err
	}
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		return []byte(text), nil
	}
	b, err := s.ReadNamed(name)
	if err != nil {
		return nil, input.ReadError(message.New("cli_plugin.input"), err)
	}
	return b, nil
}

func pairs(list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, pair := range list {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, print.BadUsage("cli_plugin.bad_setting", "text", pair).Hint("cli_plugin.bad_setting_hint")
		}
		out[key] = value
	}
	return out, nil
}

// parseMounts parses HOST:GUEST[:ro]. The host folder may contain colons: the guest's path is the
// last part that starts with a slash.
func parseMounts(list []string) ([]author.Mount, error) {
	var mounts []author.Mount
	for _, text := range list {
		spec, readOnly := strings.CutSuffix(text, ":ro")
		i := strings.LastIndex(spec, ":/")
		if i <= 0 {
			return nil, print.BadUsage("cli_plugin.bad_mount", "mount", text).Hint("cli_plugin.bad_mount_hint")
		}
		guest := spec[i+1:]
		if strings.Contains(guest, ":") || path.Clean(guest) != guest { // a slip in ":ro" would open what should be read only
			return nil, print.BadUsage("cli_plugin.bad_guest_path", "mount", text, "path", guest).Hint("cli_plugin.bad_guest_path_hint")
		}
		dir, err := filepath.Abs(spec[:i])
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(dir); err != nil {
			return nil, print.BadUsage("cli_plugin.mount_error", "mount", text, "cause", tool.FileFault(err))
		} else if !info.IsDir() {
			return nil, print.BadUsage("cli_plugin.mount_not_folder", "mount", text, "path", dir)
		}
		mounts = append(mounts, author.Mount{Host: dir, Guest: guest, ReadOnly: readOnly})
	}
	return mounts, nil
}

var units = []struct {
	suffix string
	bytes  float64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"KB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"B", 1},
	{"", 1},
}

// parseSize parses a flag's 64MiB, 1GB or number of bytes.
func parseSize(flag, text string, least, most int64) (int64, error) {
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		switch {
		case err != nil || math.IsNaN(n):
			return 0, print.BadUsage("cli_plugin.bad_size", "flag", "--"+flag, "text", text).Hint("cli_plugin.size_hint")
		case n*u.bytes < float64(least):
			return 0, print.BadUsage("cli_plugin.size_too_small", "flag", "--"+flag, "text", text, "limit", least).Hint("cli_plugin.size_hint")
		case n*u.bytes > float64(most):
			return 0, print.BadUsage("cli_plugin.size_too_large", "flag", "--"+flag, "text", text, "limit", most)
		}
		return int64(n * u.bytes), nil
	}
	panic("the last unit fits any text")
}
