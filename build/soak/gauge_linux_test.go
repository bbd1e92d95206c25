package soak

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sample is what a process has at a moment.
type sample struct {
	at      time.Duration // since the begin of the soak
	memory  float64       // anonymous memory, in MiB: pages of the program's file are not its own
	files   int           // open file descriptors
	threads int
}

// measure reads what a process has.
func measure(pid int, at time.Duration) (sample, error) {
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	status, err := os.ReadFile(filepath.Join(proc, "status"))
	if err != nil {
		return sample{}, err
	}
	files, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		return sample{}, err
	}
	s := sample{at: at, files: len(files)}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
		switch name {
		case "RssAnon":
			s.memory = float64(n) / 1024
		case "Threads":
			s.threads = n
		}
	}
	return s, nil
}

// processorTime is the processor time of a process and its ended children.
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	ticks := 0
	for _, field := range fields[11:15] {
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}

// slope is that of the memory, in MiB a minute, by least squares.
func slope(samples []sample) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, s := range samples {
		x, y := s.at.Minutes(), s.memory
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	if d := n*sxx - sx*sx; d > 0 {
		return (n*sxy - sx*sy) / d
	}
	return 0
}

// lows are the samples with the least memory of ten parts of the time. Between them the heap grows until
// the next collection.
func lows(samples []sample) (list []sample) {
	for i := range 10 {
		if part := samples[len(samples)*i/10 : len(samples)*(i+1)/10]; len(part) > 0 {
			list = append(list, slices.MinFunc(part, func(a, b sample) int { return cmp.Compare(a.memory, b.memory) }))
		}
	}
	return list
}

// windows are the medians of the open files in ten parts of the time.
func windows(samples []sample) (medians []int) {
	for i := range 10 {
		var files []int
		for _, s := range samples[len(samples)*i/10 : len(samples)*(i+1)/10] {
			files = append(files, s.files)
		}
		if slices.Sort(files); len(files) > 0 {
			medians = append(medians, files[len(files)/2])
		}
	}
	return medians
}

var goroutine = regexp.MustCompile(`(?m)^goroutine \d+ .*\[`)

// goroutines counts the goroutines in what a program says when it is ended by SIGQUIT.
func goroutines(said []byte) int { return len(goroutine.FindAll(said, -1)) }

// processesOf lists the processes whose home is a folder.
func processesOf(home string) (list []string) {
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range environments {
		b, err := os.ReadFile(name)
		if err == nil && bytes.Contains(b, []byte("HOME="+home+"\x00")) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			list = append(list, fmt.Sprintf("%s %.80q", filepath.Dir(name), command))
		}
	}
	return list
}

// quantile is the value that a part of the durations don't pass.
func quantile(durations []time.Duration, part float64) time.Duration {
	if len(durations) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(durations))
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))].Round(100 * time.Microsecond)
}
