package extism

import "github.com/tetratelabs/wazero/api"

// Functions are those that the kernel has, by name.
func (a *ABI) Functions() map[string]api.FunctionDefinition { return a.kernel.ExportedFunctions() }

// Dump is the whole memory, but for what lies below the first block.
func (k *Kernel) Dump() []byte {
	b, _ := k.memory.Read(scratch, k.memory.Size()-scratch)
	return b
}
