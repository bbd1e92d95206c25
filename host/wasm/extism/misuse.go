package extism

import "errand/planner/message"

// misuses are the codes of misuses of the shared memory that the ABI ignores, by
// their numbers in kernel.wat.
var misuses = [...]string{
	1: "plugin.log_bad_output_range",
	2: "plugin.log_bad_input_range",
	3: "plugin.log_bad_load",
	4: "plugin.log_bad_store",
}

// notes returns the misuses of a call that the ABI ignores.
func (k *Kernel) notes() []message.Message {
	var notes []message.Message
	if what := k.misuse.Get(); what > 0 && what < uint64(len(misuses)) {
		notes = append(notes, message.New(misuses[what], "at", k.astrayAt.Get(), "size", k.astraySize.Get()))
	}
	if n := k.refused.Get(); n != 0 {
		notes = append(notes, message.New("plugin.log_alloc_refused", "size", n, "limit", k.limit))
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
		c.Log(Warn, note)
	}
}
