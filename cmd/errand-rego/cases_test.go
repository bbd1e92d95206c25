package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/test/cases"
)

var update = flag.Bool("update", false, "write the cases of OPA that app/rego tests")

const casesFile = "../../app/rego/testdata/opa_cases.jsonl"

// opaCase is one case of OPA's own tests, with the answer of OPA itself. Want is empty if the entry
// is undefined.
type opaCase struct {
	Name  string          `json:"name"`
	Files []file          `json:"files"`
	Entry string          `json:"entry"`
	Input json.RawMessage `json:"input,omitempty"`
	Want  json.RawMessage `json:"want,omitempty"`
}

var ruleQuery = regexp.MustCompile(`^data((?:\.\w+)+) = \w+$`)

// TestCases checks that the cases in app/rego are those of OPA's own tests that use what a policy may
// use: one rule, no data, no error, and built-in functions that are allowed.
func TestCases(t *testing.T) {
	var want bytes.Buffer
	set, err := cases.Load(casesOfOPA(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range set.Sorted().Cases {
		if line, ok := caseOf(t, c); ok {
			want.Write(line)
			want.WriteByte('\n')
		}
	}
	if *update {
		if err := os.WriteFile(casesFile, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(casesFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not current: run go test -run TestCases -update", casesFile)
	}
	t.Log(bytes.Count(got, []byte("\n")), "cases")
}

func caseOf(t *testing.T, c cases.TestCase) ([]byte, bool) {
	query := ruleQuery.FindStringSubmatch(c.Query)
	if query == nil || c.Data != nil && len(*c.Data) > 0 || c.InputTerm != nil || c.WantError != nil || c.WantErrorCode != nil || len(c.Env) > 0 {
		return nil, false
	}
	out := opaCase{Name: c.Note, Entry: strings.ReplaceAll(query[1][1:], ".", "/")}
	for i, m := range c.Modules {
		out.Files = append(out.Files, file{fmt.Sprintf("%d.rego", i), m})
	}
	if c.Input != nil {
		input, err := json.Marshal(*c.Input)
		if err != nil {
			t.Fatal(err)
		}
		out.Input = input
	}
	r := request{Files: out.Files, Entry: out.Entry}
	if compiled, err := compileWasm(t.Context(), r); err != nil || len(compiled.Problems) > 0 {
		return nil, false
	}
	want, ok := evaluate(t, out)
	if !ok {
		return nil, false
	}
	out.Want = want
	line, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return line, true
}

// casesOfOPA is the folder of OPA's cases in the module cache.
func casesOfOPA(t *testing.T) string {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/open-policy-agent/opa").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "v1", "test", "cases", "testdata", "v1")
}

// evaluate answers a case as OPA itself does. ok is false if that fails.
func evaluate(t *testing.T, c opaCase) (want json.RawMessage, ok bool) {
	modules, problems := parse(c.Files, false)
	if len(problems) > 0 {
		return nil, false
	}
	var input any
	if len(c.Input) > 0 {
		if err := json.Unmarshal(c.Input, &input); err != nil {
			t.Fatal(err)
		}
	}
	options := []func(*rego.Rego){rego.Query("data." + strings.ReplaceAll(c.Entry, "/", ".")), rego.Capabilities(capabilities()), rego.Input(input)}
	for _, m := range modules {
		options = append(options, rego.ParsedModule(m))
	}
	results, err := rego.New(options...).Eval(t.Context())
	if err != nil {
		return nil, false
	}
	if len(results) == 0 {
		return nil, true
	}
	want, err = json.Marshal(results[0].Expressions[0].Value)
	if err != nil {
		t.Fatal(err)
	}
	return want, true
}
