package extism

import "github.com/tetratelabs/wazero/api"

// Functions are the functions of the kernel by name.
func (a *ABI) Functions() map[string]api.FunctionDefinition { return a.kernel.ExportedFunctions() }

// Dump returns the memory from the first block on.
func (k *Kernel) Dump() []byte {
	b, _ := k.memory.Read(scratch, k.memory.Size()-scratch)
	return b
}
