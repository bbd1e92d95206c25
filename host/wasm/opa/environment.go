package opa

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"errand/planner/message"
)

const (
	// environment is the module from which a policy imports its memory and its host functions.
	environment = "env"
	// hostModule has the functions themselves: a module of Go functions can't have a memory.
	hostModule = "errand:opa"

	typeI32 = 0x7f
)

// imports are the functions of [environment]: name and number of arguments. They are all i32.
// Those that answer do so with one i32.
var imports = []struct {
	name    string
	args    byte
	answers bool
}{
	{"opa_abort", 1, false},
	{"opa_println", 1, false},
	{"opa_builtin0", 2, true},
	{"opa_builtin1", 3, true},
	{"opa_builtin2", 4, true},
	{"opa_builtin3", 5, true},
	{"opa_builtin4", 6, true},
}

// addEnvironment makes the modules that a policy imports from. Its memory begins with pages.
func (p *Policy) addEnvironment(ctx context.Context, r wazero.Runtime, pages uint32) (api.Memory, error) {
	b := r.NewHostModuleBuilder(hostModule)
	for _, f := range imports {
		params := make([]api.ValueType, f.args)
		for i := range params {
			params[i] = api.ValueTypeI32
		}
		var results []api.ValueType
		var do api.GoModuleFunc
		switch {
		case f.name == "opa_abort":
			do = func(_ context.Context, _ api.Module, stack []uint64) { panic(abortError(p.text(uint32(stack[0])))) }
		case !f.answers:
			do = func(context.Context, api.Module, []uint64) {} // what a policy prints is not shown
		default:
			results = []api.ValueType{api.ValueTypeI32}
			do = func(ctx context.Context, _ api.Module, stack []uint64) {
				// The second argument is reserved.
				stack[0] = uint64(p.callBuiltin(ctx, int32(stack[0]), stack[2:f.args]))
			}
		}
		b.NewFunctionBuilder().WithGoModuleFunction(do, params, results).Export(f.name)
	}
	if _, err := b.Instantiate(ctx); err != nil {
		return nil, err
	}
	m, err := r.InstantiateWithConfig(ctx, environmentModule(pages), wazero.NewModuleConfig().WithName(environment))
	if err != nil {
		return nil, err
	}
	return m.Memory(), nil
}

// environmentModule is a module in the binary format. It has a memory, and passes on the functions
// of [hostModule].
func environmentModule(pages uint32) []byte {
	var types, imported, exported []byte
	exported = append(appendName(exported, "memory"), 2, 0)
	for i, f := range imports {
		types = append(types, 0x60, f.args)
		for range f.args {
			types = append(types, typeI32)
		}
		if f.answers {
			types = append(types, 1, typeI32)
		} else {
			types = append(types, 0)
		}
		imported = append(appendName(appendName(imported, hostModule), f.name), 0, byte(i))
		exported = append(appendName(exported, f.name), 0, byte(i))
	}
	n := byte(len(imports))
	code := []byte("\x00asm\x01\x00\x00\x00")
	code = appendSection(code, 1, append([]byte{n}, types...))
	code = appendSection(code, 2, append([]byte{n}, imported...))
	code = appendSection(code, 5, appendNumber([]byte{1, 0}, pages))
	return appendSection(code, 7, append([]byte{n + 1}, exported...))
}

func appendSection(code []byte, id byte, content []byte) []byte {
	return append(appendNumber(append(code, id), uint32(len(content))), content...)
}

func appendName(code []byte, name string) []byte {
	return append(appendNumber(code, uint32(len(name))), name...)
}

// appendNumber appends an unsigned number as LEB128.
func appendNumber(code []byte, n uint32) []byte {
	for ; n >= 0x80; n >>= 7 {
		code = append(code, byte(n)|0x80)
	}
	return append(code, byte(n))
}

// abortError is the error of a policy that gave up, such as one whose rules contradict each other.
type abortError string

func (e abortError) Error() string { return e.AsMessage().String() }

// AsMessage has the text that the policy gave.
func (e abortError) AsMessage() message.Message {
	return message.New("opa.gave_up", "cause", string(e))
}
