package system

import (
	"bufio"
	"context"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/disk"
	"github.com/shirou/gopsutil/v4/host"
	"github.com/shirou/gopsutil/v4/mem"
)

// cpuSample is how long the CPU load is measured.
const cpuSample = 250 * time.Millisecond

func diskSpace(ctx context.Context, _ Options) (map[string]any, error) {
	place := homeDir() // the volume with the user's files
	u, err := disk.UsageWithContext(ctx, place)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"path":         place,
		"total_bytes":  float64(u.Total),
		"used_bytes":   float64(u.Used),
		"free_bytes":   float64(u.Free),
		"used_percent": round(u.UsedPercent),
		"text":         size(u.Free) + " of " + size(u.Total) + " are free (" + percent(u.UsedPercent) + " used).",
	}, nil
}

func memory(ctx context.Context, _ Options) (map[string]any, error) {
	m, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"total_bytes":     float64(m.Total),
		"used_bytes":      float64(m.Used),
		"available_bytes": float64(m.Available),
		"used_percent":    round(m.UsedPercent),
		"text":            size(m.Used) + " of " + size(m.Total) + " are in use (" + percent(m.UsedPercent) + ").",
	}, nil
}

func processor(ctx context.Context, _ Options) (map[string]any, error) {
	loads, err := cpu.PercentWithContext(ctx, cpuSample, false)
	if err != nil || len(loads) == 0 {
		return nil, err
	}
	answer := map[string]any{
		"used_percent": round(loads[0]),
		"cores":        float64(runtime.NumCPU()),
		"architecture": runtime.GOARCH,
		"text":         "The processor is " + percent(loads[0]) + " busy, over " + count(runtime.NumCPU(), "core") + ".",
	}
	if info, err := cpu.InfoWithContext(ctx); err == nil && len(info) > 0 && info[0].ModelName != "" {
		answer["model"] = strings.TrimSpace(info[0].ModelName)
	}
	return answer, nil
}

// addresses returns the addresses of the machine's interfaces. The public address
// behind a router is not among them, because finding it requires a network call.
func addresses(context.Context, Options) (map[string]any, error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	list, text := []any{}, []string{}
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addrs, err := i.Addrs()
		if err != nil {
			continue // the interface was removed in the meantime
		}
		for _, a := range addrs {
			n, ok := a.(*net.IPNet)
			if !ok || n.IP.IsLinkLocalUnicast() {
				continue
			}
			family := "ipv6"
			if n.IP.To4() != nil {
				family = "ipv4"
			}
			list = append(list, map[string]any{"interface": i.Name, "address": n.IP.String(), "family": family})
			text = append(text, n.IP.String()+" ("+i.Name+")")
		}
	}
	line := "This machine's address is " + strings.Join(text, ", ") + "."
	switch len(text) {
	case 0:
		line = "This machine has no network address."
	case 1:
	default:
		line = "This machine's addresses are " + strings.Join(text, ", ") + "."
	}
	return map[string]any{"addresses": list, "text": line}, nil
}

func operatingSystem(ctx context.Context, _ Options) (map[string]any, error) {
	name, version := osRelease("/etc/os-release")
	if name == "" {
		platform, _, v, err := host.PlatformInformationWithContext(ctx)
		if err != nil || platform == "" {
			platform = runtime.GOOS
		}
		name, version = strings.TrimSpace(platform+" "+v), v
	}
	answer := map[string]any{
		"os":           runtime.GOOS,
		"name":         name,
		"version":      version,
		"architecture": runtime.GOARCH,
	}
	text := name
	if kernel, err := host.KernelVersionWithContext(ctx); err == nil && kernel != "" {
		answer["kernel"] = kernel
		text += ", kernel " + kernel
	}
	answer["text"] = "This machine runs " + text + " (" + runtime.GOARCH + ")."
	return answer, nil
}

// osRelease reads os-release(5). gopsutil would run lsb_release instead.
func osRelease(path string) (name, version string) {
	f, err := os.Open(path)
	if err != nil {
		return "", ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), "=")
		if unquoted, err := strconv.Unquote(value); err == nil {
			value = unquoted
		}
		value = strings.Trim(value, "'")
		switch key {
		case "PRETTY_NAME":
			name = value
		case "VERSION_ID":
			version = value
		}
	}
	return name, version
}

func uptime(ctx context.Context, o Options) (map[string]any, error) {
	seconds, err := host.UptimeWithContext(ctx)
	if err != nil {
		return nil, err
	}
	up := time.Duration(seconds) * time.Second
	return map[string]any{
		"seconds": float64(seconds),
		"since":   o.Now().Add(-up).Format(time.RFC3339),
		"text":    "This machine has been up for " + span(up) + ".",
	}, nil
}

func hostname(context.Context, Options) (map[string]any, error) {
	name, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	return map[string]any{"hostname": name, "text": "This machine is called " + filepath.Base(name) + "."}, nil
}

func percent(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) + " %" }
