// Bench-start compares the run time of errand commands with that of a Go program that does
// nothing. Run it with make bench-start on an idle machine.
//
//	bench-start [-n 40] errand
//
// The commands take turns, each with an empty home folder. The last ones run again beside a
// resident process. The results are medians of
// whole processes: the time that passes, and the processor time, which other programs on the
// machine disturb less.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"
)

// commands lists the commands to time.
var commands = [][]string{
	{"version"},
	{"plan", "open youtube and search nvidia"},
	{"run", "--dry-run", "open youtube and search nvidia"},
	{"plan", "--json", "create a folder called Reports in Documents"},
	{"policy", "check", "https://youtube.com/"},
}

func main() {
	rounds := flag.Int("n", 40, "how often each command runs")
	flag.Parse()
	if err := bench(flag.Arg(0), *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench-start:", err)
		os.Exit(1)
	}
}

func bench(errand string, rounds int) error {
	dir, err := os.MkdirTemp("", "bench-start")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	hello, err := buildHello(dir)
	if err != nil {
		return err
	}
	for i, program := range []*string{&hello, &errand} {
		if *program, err = install(filepath.Join(dir, fmt.Sprint("program", i)), *program); err != nil {
			return err
		}
	}
	agent, err := startAgent(dir, errand)
	if err != nil {
		return err
	}
	defer agent()
	rows := []row{{name: "hello world", argv: []string{hello}}}
	for _, beside := range []string{"", "beside agentd: "} {
		for _, c := range commands {
			rows = append(rows, row{fmt.Sprintf("%serrand %s", beside, c), append([]string{errand}, c...), beside != ""})
		}
	}
	times, loads := make([][]time.Duration, len(rows)), make([][]time.Duration, len(rows))
	for range rounds {
		for i, row := range rows {
			passed, load, err := timeProcess(row.argv, environment(dir, row.agent))
			if err != nil {
				return err
			}
			times[i], loads[i] = append(times[i], passed), append(loads[i], load)
		}
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "command\tmedian\tbest\tof hello world\tprocessor\tof hello world")
	base, baseLoad := median(times[0]), median(loads[0])
	for i, row := range rows {
		m, load := median(times[i]), median(loads[i])
		fmt.Fprintf(out, "%s\t%.2f ms\t%.2f ms\t%.1f×\t%.2f ms\t%.1f×\n", row.name, milliseconds(m), milliseconds(slices.Min(times[i])),
			float64(m)/float64(base), milliseconds(load), float64(load)/float64(baseLoad))
	}
	return out.Flush()
}

// row is a command that is timed.
type row struct {
	name  string
	argv  []string
	agent bool // beside the resident process
}

// environment returns that of a command with an empty home folder. The resident process is only
// found in the runtime folder.
func environment(home string, agent bool) []string {
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	if agent {
		env = append(env, "XDG_RUNTIME_DIR="+filepath.Join(home, "run"))
	}
	return env
}

// startAgent starts a resident process and waits for its socket.
func startAgent(home, errand string) (stop func(), err error) {
	if err := os.Mkdir(filepath.Join(home, "run"), 0o700); err != nil {
		return nil, err
	}
	agent := exec.Command(errand, "agentd")
	agent.Env = environment(home, true)
	if err := agent.Start(); err != nil {
		return nil, err
	}
	stop = func() { _, _ = agent.Process.Kill(), agent.Wait() }
	for range 500 {
		if _, err := os.Stat(filepath.Join(home, "run/errand/agentd.sock")); err == nil {
			return stop, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	return nil, errors.New("agentd did not start")
}

func buildHello(dir string) (string, error) {
	source := filepath.Join(dir, "hello.go")
	if err := os.WriteFile(source, []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"), 0o600); err != nil {
		return "", err
	}
	hello := filepath.Join(dir, "hello")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", hello, source)
	build.Stderr = os.Stderr
	return hello, build.Run()
}

// install copies a program, as an installation does: in memory, the parts of a file that the
// linker wrote are smaller, and a start takes up to a fifth longer.
func install(to, program string) (string, error) {
	b, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	return to, os.WriteFile(to, b, 0o700)
}

// timeProcess runs a command and returns the time that passed and the processor time. It ignores the exit code: a plan that asks a question exits with 4.
func timeProcess(command, env []string) (passed, load time.Duration, err error) {
	c := exec.Command(command[0], command[1:]...)
	c.Env = env
	start := time.Now()
	err = c.Run()
	passed = time.Since(start)
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		return 0, 0, err
	}
	return passed, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
