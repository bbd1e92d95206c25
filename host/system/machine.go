package system

import (
	"bufio"
	"context"
	"math"
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

	"errand/planner/message"
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
		"used_percent": roundToTenth(u.UsedPercent),
		"text":         message.New("answer.machine_disk", "free", u.Free, "total", u.Total, "percent", percent(u.UsedPercent)).PlainValue(),
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
		"used_percent":    roundToTenth(m.UsedPercent),
		"text":            message.New("answer.machine_memory", "used", m.Used, "total", m.Total, "percent", percent(m.UsedPercent)).PlainValue(),
	}, nil
}

func processor(ctx context.Context, _ Options) (map[string]any, error) {
	loads, err := cpu.PercentWithContext(ctx, cpuSample, false)
	if err != nil || len(loads) == 0 {
		return nil, err
	}
	answer := map[string]any{
		"used_percent": roundToTenth(loads[0]),
		"cores":        float64(runtime.NumCPU()),
		"architecture": runtime.GOARCH,
		"text":         message.New("answer.machine_processor", "percent", percent(loads[0]), "cores", runtime.NumCPU()).PlainValue(),
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
	said := message.New("answer.machine_addresses", "addresses", text, "count", len(text))
	if len(text) == 0 {
		said = message.New("answer.machine_no_address")
	}
	return map[string]any{"addresses": list, "text": said.PlainValue()}, nil
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
	said := message.New("answer.machine_os", "name", name, "architecture", runtime.GOARCH)
	if kernel, err := host.KernelVersionWithContext(ctx); err == nil && kernel != "" {
		answer["kernel"] = kernel
		said = message.New("answer.machine_os_kernel", "name", name, "kernel", kernel, "architecture", runtime.GOARCH)
	}
	answer["text"] = said.PlainValue()
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
		"text":    message.New("answer.machine_uptime", "span", span(up)).PlainValue(),
	}, nil
}

func hostname(context.Context, Options) (map[string]any, error) {
	name, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	return map[string]any{"hostname": name, "text": message.New("answer.machine_name", "name", filepath.Base(name)).PlainValue()}, nil
}

// percent rounds a percentage for people.
func percent(v float64) int64 { return int64(math.RoundToEven(v)) }
