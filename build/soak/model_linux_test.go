package soak

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"errand/host/llm"
	"errand/host/llm/llmtest"
)

// task is the words of a job's task: its server, its number and its kind.
var task = regexp.MustCompile(`soak (\w+) (\d+) (\w+)`)

// model answers the tasks of the soak by their kinds. Some requests meet a fault first.
type model struct {
	home func(server string) *server

	mu       sync.Mutex
	random   *rand.Rand
	answered map[string]time.Time // when a turn of a task was answered, by task and turn
	faults   map[string]int
	turns    []time.Duration // from an answer to the next request, of tasks that only calculate
	leaked   string          // a secret that a request had
}

func newModel(seed uint64, home func(string) *server) *model {
	return &model{home: home, random: rand.New(rand.NewPCG(seed, 1)), answered: map[string]time.Time{}, faults: map[string]int{}}
}

// next answers a request.
func (m *model) next(_ int, r llmtest.Received) llmtest.Answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, secret := range secrets {
		if bytes.Contains(r.Body, []byte(secret)) {
			m.leaked = secret
		}
	}
	found := task.FindStringSubmatch(string(r.Body))
	if found == nil {
		return llmtest.Answer{Text: "What?"}
	}
	id, turn := found[0], r.Turn()
	if at, ok := m.answered[fmt.Sprint(id, turn-1)]; ok && m.faults[fmt.Sprint(id, turn)] == 0 && found[3] == "endless" {
		m.turns = append(m.turns, time.Since(at))
	}
	if a, ok := m.fault(fmt.Sprint(id, turn)); ok {
		return a
	}
	m.answered[fmt.Sprint(id, turn)] = time.Now()
	return m.answer(m.home(found[1]), found[2], found[3], turn)
}

// fault is what goes wrong with a request: with one of eight turns, the first time that it is asked for.
func (m *model) fault(turn string) (llmtest.Answer, bool) {
	if m.faults[turn]++; m.faults[turn] > 1 || m.random.IntN(8) > 0 {
		return llmtest.Answer{}, false
	}
	answers := []llmtest.Answer{
		{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"0"}}},
		{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"120"}}}, // the next provider is asked
		{Status: http.StatusInternalServerError},
		{Status: 529},
		{Text: "This answer is cut off.", Cut: 40},
		{Body: `{"choices":[`},
		{Hang: true},
	}
	return answers[m.random.IntN(len(answers))], true
}

// kinds are the kinds of tasks with the stop reasons that they may end with. A task that was
// cancelled may end with any.
var kinds = map[string][]string{
	"reads":     {"completed"},
	"writes":    {"completed"},
	"twice":     {"completed"},
	"rejected":  {"cancelled"},
	"denied":    {"policy_denied"},
	"malformed": {"completed"},
	"fails":     {"max_failures"},
	"idles":     {"no_op_loop"},
	"endless":   {"max_steps"},
	"long":      {"completed"},
	"cancelled": nil,
	"browses":   {"completed"},
}

// answer is the answer to a turn of a task.
func (m *model) answer(s *server, number, kind string, turn int) llmtest.Answer {
	call := func(name string, args ...string) llm.Call {
		c := llm.Call{Name: name, Args: map[string]any{}}
		for i := 0; i+1 < len(args); i += 2 {
			c.Args[args[i]] = args[i+1]
		}
		return c
	}
	appended := call("files.append", "path", s.path(effectsOf(number)), "text", kind+" "+number+"\n")
	created := call("files.create_file", "path", s.path(kind+number+".txt"), "content", number)
	read := call("files.read", "path", s.path("notes.txt"))
	sum := call("system.calculate", "expression", fmt.Sprint(turn, "+", number))
	turns := map[string][][]llm.Call{
		"reads":     {{read, call("hash.sha256", "input", number)}, {sum}},
		"writes":    {{read}, {sum, created}, {appended}},
		"twice":     {{appended, appended}, {appended}},
		"rejected":  {{appended, created}},
		"denied":    {{sum}, {call("files.delete_file", "path", s.path("notes.txt"))}},
		"malformed": {{{Name: "files.read", Malformed: `["cut`}}, {call("files.nothing")}, {sum}},
		"fails":     {{call("files.read", "path", s.path("none1"))}, {call("files.read", "path", s.path("none2"))}, {call("files.read", "path", s.path("none3"))}},
		"idles":     {{}, {}, {}},
		"endless": slices.Collect(func(yield func([]llm.Call) bool) {
			for n := range 20 {
				if !yield([]llm.Call{call("system.calculate", "expression", fmt.Sprint(n, "*", number))}) {
					return
				}
			}
		}),
		"long":      {{call("files.read", "path", s.path("long.txt"))}, {call("hash.sha256", "input", strings.Repeat("long", 10_000))}},
		"cancelled": {{sum}, {appended}, {created}},
		"browses":   {{call("browser.open", "url", "https://github.com/nvidia/cuda")}, {call("browser.read_text")}},
	}[kind]
	if turn < len(turns) {
		return llmtest.Answer{Text: m.text(kind), Calls: turns[turn], Usage: llm.Usage{In: 100, Out: 10}}
	}
	return llmtest.Answer{Text: "The end of " + number + "."}
}

// text is what the model says beside its calls.
func (m *model) text(kind string) string {
	switch kind {
	case "idles":
		return ""
	case "long":
		return strings.Repeat("So much to say. ", 2000)
	}
	return "Working."
}

// effectsOf is the file to which a task appends a line.
func effectsOf(number string) string { return "effects" + number + ".txt" }
