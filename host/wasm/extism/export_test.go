package extism

// Dump is the whole memory, but for what lies below the first block.
func (k *Kernel) Dump() []byte {
	b, _ := k.memory.Read(scratch, k.memory.Size()-scratch)
	return b
}
