package rego_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/app/config/policyfile"
	"errand/app/rego/regotest"
	"errand/build/must"
	"errand/build/tier"
	"errand/host/wasm/opa"
)

// TestOPACases evaluates cases of OPA's own tests as WebAssembly, and compares with the answers of
// OPA itself. `go test -run TestCases -update` in cmd/errand-rego writes the cases.
func TestOPACases(t *testing.T) {
	type opaCase struct {
		Name  string            `json:"name"`
		Files []policyfile.File `json:"files"`
		Entry string            `json:"entry"`
		Input json.RawMessage   `json:"input,omitempty"`
		Want  json.RawMessage   `json:"want,omitempty"`
	}
	cases := must.ReadJSONL[opaCase](t, "testdata/opa_cases.jsonl")
	compiler := regotest.Compiler(t)
	step := tier.Size(29, 1)
	for i := 0; i < len(cases); i += step {
		c := cases[i]
		if differs[c.Name] != "" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			question, err := json.Marshal(c)
			must.Succeed(t, err)
			cmd := exec.CommandContext(t.Context(), compiler.Path, "compile")
			cmd.Stdin = bytes.NewReader(question)
			out, err := cmd.Output()
			must.Succeed(t, err)
			var compiled struct{ Wasm []byte }
			must.Succeed(t, json.Unmarshal(out, &compiled))
			p, err := opa.Load(t.Context(), compiled.Wasm, opa.Options{})
			must.Succeed(t, err)
			defer p.Close()
			text, err := p.Eval(t.Context(), c.Input, 5*time.Second)
			must.Succeed(t, err)
			var got []struct{ Result any }
			must.Succeed(t, json.Unmarshal(text, &got))
			var want []struct{ Result any }
			if len(c.Want) > 0 {
				must.Succeed(t, json.Unmarshal([]byte(`[{"result":`+string(c.Want)+`}]`), &want))
			}
			if d := cmp.Diff(want, got, cmpopts.SortSlices(lessJSON), cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}

// lessJSON orders values by their JSON. Sets have no order, and JSON writes them as arrays.
func lessJSON(x, y any) bool {
	a, _ := json.Marshal(x)
	b, _ := json.Marshal(y)
	return bytes.Compare(a, b) < 0
}

// The reasons of cases that answer otherwise as WebAssembly.
const (
	nullInput = "OPA was asked with the input null, which as WebAssembly is no input"
	bigNumber = "a number beyond what the module computes with"
)

// differs are these cases.
var differs = map[string]string{
	"inputvalues/loopback undefined":                                           nullInput,
	"virtualdocs/undefined: in array coprehension body":                        nullInput,
	"virtualdocs/undefined: in array literal":                                  nullInput,
	"virtualdocs/undefined: in set coprehension body":                          nullInput,
	"virtualdocs/undefined: in set literal":                                    nullInput,
	"withkeyword/builtin-value: arity-1, input must still be defined":          nullInput,
	"jsonbuiltins/unmarshal number beyond the supported exponent is undefined": bigNumber,
	"jsonbuiltins/unmarshal number with too big an exponent is undefined":      bigNumber,
	"strings/format_int: bignum exact (>64-bit integer, all bases + negative)": bigNumber,
	"time/parse_rfc3339_nanos":                                                 "the first and the last year of 64 bits of nanoseconds are undefined",
	"withkeyword/invalidate comprehension cache":                               "the module keeps a comprehension in mind that with has changed",
}
