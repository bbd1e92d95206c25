package meter_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/meter"
)

// TestSpec runs WebAssembly's own test suite, which wazero includes, with every module rewritten.
// Rewritten modules must behave as the suite expects, and invalid ones must be refused.
func TestSpec(t *testing.T) {
	root := filepath.Join(moduleFolder(t, "github.com/tetratelabs/wazero"), "internal", "integration_test", "spectest")
	for _, suite := range []struct {
		folder   string
		features api.CoreFeatures
		modules  int // at least
	}{
		{"v1", api.CoreFeaturesV1, 400},
		{"v2", api.CoreFeaturesV2, 900},
		{"tail-call", api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall, 2},
		{"extended-const", api.CoreFeaturesV2 | experimental.CoreFeaturesExtendedConst, 10},
	} {
		t.Run(suite.folder, func(t *testing.T) {
			folder := filepath.Join(root, suite.folder, "testdata")
			scripts, err := filepath.Glob(filepath.Join(folder, "*.json"))
			if err != nil || len(scripts) == 0 {
				t.Fatalf("%d scripts in %s (%v)", len(scripts), folder, err)
			}
			spectest := must.ReadFile(t, filepath.Join(root, "testdata", "spectest.wasm"))
			modules := 0
			for _, path := range scripts {
				s := &script{folder: folder, features: suite.features, spectest: spectest, modules: &modules}
				t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) { s.run(t, path) })
			}
			if modules < suite.modules {
				t.Errorf("it ran %d modules, want %d or more", modules, suite.modules)
			}
		})
	}
}

// script is a running file of the suite.
type script struct {
	folder   string
	features api.CoreFeatures
	spectest []byte
	modules  *int

	runtime wazero.Runtime
	byName  map[string]api.Module
	last    api.Module
	loaded  []api.Module
}

type command struct {
	Type       string   `json:"type"`
	Line       int      `json:"line"`
	Name       string   `json:"name"`
	Filename   string   `json:"filename"`
	As         string   `json:"as"`
	Action     action   `json:"action"`
	Expected   []valued `json:"expected"`
	ModuleType string   `json:"module_type"`
	Text       string   `json:"text"`
}

type action struct {
	Type   string   `json:"type"`
	Module string   `json:"module"`
	Field  string   `json:"field"`
	Args   []valued `json:"args"`
}

// valued is a value of the suite: its bits as a decimal number, or lanes.
type valued struct {
	Type  string `json:"type"`
	Lane  string `json:"lane_type"`
	Value any    `json:"value"`
}

func (s *script) run(t *testing.T, path string) {
	b := must.ReadFile(t, path)
	var file struct {
		Commands []command `json:"commands"`
	}
	must.Succeed(t, json.Unmarshal(b, &file))
	s.runtime = runtime(t, &grants{slice: 10_000}, wazero.NewRuntimeConfig().WithCoreFeatures(s.features))
	s.byName = map[string]api.Module{}
	ctx := context.Background()
	if _, err := s.instantiate(ctx, s.spectest, "spectest"); err != nil {
		t.Fatal(err)
	}
	for i, c := range file.Commands {
		as := ""
		if next := i + 1; next < len(file.Commands) && file.Commands[next].Type == "register" {
			as = file.Commands[next].As
		}
		if err := s.command(ctx, c, as); err != nil {
			t.Errorf("line %d, %s %s: %v", c.Line, c.Type, c.Action.Field, err)
		}
	}
}

func (s *script) instantiate(ctx context.Context, code []byte, name string) (api.Module, error) {
	m, err := meter.Rewrite(code, meter.Options{})
	if err != nil {
		return nil, err
	}
	instance, err := s.runtime.InstantiateWithConfig(ctx, m.Code, wazero.NewModuleConfig().WithName(name))
	if err == nil {
		s.loaded = append(s.loaded, instance)
	}
	return instance, err
}

func (s *script) command(ctx context.Context, c command, as string) error {
	code := func() []byte {
		b, err := os.ReadFile(filepath.Join(s.folder, c.Filename))
		if err != nil {
			panic(err)
		}
		return b
	}
	switch c.Type {
	case "module":
		m, err := s.instantiate(ctx, code(), as)
		if err != nil {
			return err
		}
		*s.modules++
		s.last = m
		if c.Name != "" {
			s.byName[c.Name] = m
		}
	case "register": // done with the module before
	case "assert_return", "action":
		return s.returns(ctx, c)
	case "assert_trap", "assert_exhaustion":
		_, err := s.invoke(ctx, c.Action)
		s.revive()
		if want := trapText(c); err == nil || !strings.Contains(i18n.English().Error(err), want) {
			return fmt.Errorf("it ends with %v, want %q", err, want)
		}
	case "assert_malformed", "assert_invalid", "assert_unlinkable", "assert_uninstantiable":
		if c.ModuleType == "text" {
			return nil
		}
		_, err := s.instantiate(ctx, code(), "")
		s.revive()
		// wazero links a module whose element segments are out of bounds, for
		// what of it has been written by then stays in use.
		if want := c.Type != "assert_uninstantiable" || c.Text != "out of bounds table access"; (err != nil) != want {
			return fmt.Errorf("refused: %t (%v), want %t", err != nil, err, want)
		}
	default:
		return fmt.Errorf("command %q is not known", c.Type)
	}
	return nil
}

// revive gives every module the call stack back that a trap took. The suite goes on with trapped
// modules; a host must not.
func (s *script) revive() {
	for _, m := range s.loaded {
		if g, ok := m.ExportedGlobal("errand:meter.stack").(api.MutableGlobal); ok {
			g.Set(meter.DefaultStack)
		}
	}
}

// trapText returns wazero's text for a trap of the suite.
func trapText(c command) string {
	switch text := c.Text; {
	case c.Type == "assert_exhaustion":
		return errTooDeep.Error()
	case text == "out of bounds memory access", text == "integer overflow", text == "integer divide by zero", text == "unreachable", text == "invalid conversion to integer":
		return text
	case strings.HasPrefix(text, "indirect call"):
		return "indirect call type mismatch"
	case strings.HasPrefix(text, "undefined"), strings.HasPrefix(text, "uninitialized"), text == "out of bounds table access":
		return "invalid table access"
	default:
		return "no such trap: " + text
	}
}

func (s *script) module(name string) api.Module {
	if name != "" {
		return s.byName[name]
	}
	return s.last
}

func (s *script) invoke(ctx context.Context, a action) ([]uint64, error) {
	var args []uint64
	for _, v := range a.Args {
		args = append(args, v.bits()...)
	}
	return s.module(a.Module).ExportedFunction(a.Field).Call(ctx, args...)
}

func (s *script) returns(ctx context.Context, c command) error {
	var got []uint64
	if c.Action.Type == "get" {
		got = []uint64{s.module(c.Action.Module).ExportedGlobal(c.Action.Field).Get()}
	} else {
		var err error
		if got, err = s.invoke(ctx, c.Action); err != nil {
			return err
		}
	}
	if c.Type == "action" {
		return nil
	}
	for _, want := range c.Expected {
		n := len(want.bits())
		if len(got) < n || !want.matches(got[:n]) {
			return fmt.Errorf("it answers %x, want %v", got, c.Expected)
		}
		got = got[n:]
	}
	if len(got) > 0 {
		return fmt.Errorf("it answers %d more values than it should", len(got))
	}
	return nil
}

// bits returns the value as wazero passes it.
func (v valued) bits() []uint64 {
	if v.Type != "v128" {
		return []uint64{v.one(v.Value)}
	}
	lanes := v.Value.([]any)
	var out [2]uint64
	width := 128 / len(lanes)
	for i, lane := range lanes {
		bits := v.one(lane)
		if width < 64 {
			bits &= 1<<width - 1
		}
		out[i*width/64] |= bits << (i * width % 64)
	}
	return out[:]
}

func (v valued) one(value any) uint64 {
	text, _ := value.(string)
	small := v.Type == "f32" || v.Lane == "f32"
	switch {
	case strings.HasPrefix(text, "nan:") && small:
		return 0x7fc00000
	case strings.HasPrefix(text, "nan:"):
		return 0x7ff8000000000000
	case text == "null" || text == "":
		return 0
	case v.Type == "externref":
		n, _ := strconv.ParseUint(text, 10, 64)
		return n + 1 // 0 is wazero's null
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	if strings.HasSuffix(v.Type, "32") {
		return uint64(uint32(n))
	}
	return uint64(n)
}

// matches reports whether a result is as expected. Any NaN that the suite allows will do.
func (v valued) matches(got []uint64) bool {
	if lanes, ok := v.Value.([]any); ok {
		width := 128 / len(lanes)
		for i, lane := range lanes {
			bits := got[i*width/64] >> (i * width % 64)
			if width < 64 {
				bits &= 1<<width - 1
			}
			if !(valued{Type: v.Lane, Value: lane}).matches([]uint64{bits}) {
				return false
			}
		}
		return true
	}
	if v.Value == nil && strings.HasSuffix(v.Type, "ref") {
		return true
	}
	text, _ := v.Value.(string)
	want := v.one(v.Value)
	switch {
	case strings.HasPrefix(text, "nan:") && v.Type == "f32":
		f := math.Float32frombits(uint32(got[0]))
		return f != f && got[0]&0x400000 != 0
	case strings.HasPrefix(text, "nan:"):
		f := math.Float64frombits(got[0])
		return f != f && got[0]&0x8000000000000 != 0
	case strings.HasPrefix(v.Type, "i8"):
		return uint8(got[0]) == uint8(want)
	case strings.HasPrefix(v.Type, "i16"):
		return uint16(got[0]) == uint16(want)
	case strings.HasSuffix(v.Type, "32"):
		return uint32(got[0]) == uint32(want)
	}
	return got[0] == want
}
