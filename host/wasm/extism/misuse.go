package extism

import (
	"fmt"

	"errand/host/wasm/manifest"
)

// misuses are misuses of the shared memory that the ABI ignores, by their numbers
// in kernel.wat.
var misuses = [...]string{
	1: "output_set(%d, %d) is no range of its memory: the output stays what it was",
	2: "input_set(%d, %d) is no range of its memory: the input stays what it was",
	3: "a load at %d of %d bytes is outside of its memory: it read zeros",
	4: "a store at %d of %d bytes is outside of its memory: nothing was stored",
}

// notes returns the misuses of a call that the ABI ignores.
func (k *Kernel) notes() []string {
	var notes []string
	if what := k.astray.Get(); what > 0 && what < uint64(len(misuses)) {
		notes = append(notes, fmt.Sprintf(misuses[what], k.astrayAt.Get(), k.astraySize.Get()))
	}
	if n := k.refused.Get(); n != 0 {
		notes = append(notes, fmt.Sprintf("alloc(%d) answered 0: its memory limit is %s", n, manifest.Size(k.limit)))
	}
	return notes
}

// Notice logs the misuses of the ended call as warnings of the host. They don't
// count towards the plugin's limit of lines.
func (c *Call) Notice() {
	if c.Log == nil || c.LogLevel > Warn || c.kernel.HasNoOutput() {
		return
	}
	for _, note := range c.kernel.notes() {
		c.tail.Add(note)
		c.Log(Warn, note)
	}
}
