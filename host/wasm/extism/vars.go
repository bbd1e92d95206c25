package extism

import (
	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// varOverhead is the size of a variable besides its key and value, so that empty
// ones count too.
const varOverhead = 40

func varSize(name string, value []byte) uint64 {
	return uint64(len(name) + len(value) + varOverhead)
}

// varGet implements the ABI's var_get.
func (c *Call) varGet(key uint64) uint64 {
	value := c.Vars[string(c.message("var_get", key))]
	c.kernel.free(key)
	return c.answer(message.New("plugin.data_of_variable"), value)
}

// varSet implements the ABI's var_set. Value 0 deletes the variable.
func (c *Call) varSet(key, value uint64) {
	name := string(c.message("var_set", key))
	var b []byte
	if value != 0 {
		b = c.bytes("var_set", value)
	}
	total := c.varTotal()
	if old, ok := c.Vars[name]; ok {
		total -= varSize(name, old)
	}
	if value == 0 {
		delete(c.Vars, name)
	} else {
		if total += varSize(name, b); total > c.Limits.Vars {
			panic(c.limitError(tool.ExecutionError, "vars_limit", "vars",
				message.New("plugin.vars_limit", "name", c.name(), "size", total, "limit", manifest.Size(c.Limits.Vars))))
		}
		if c.Vars == nil {
			c.Vars = make(map[string][]byte)
		}
		c.Vars[name] = append([]byte(nil), b...)
	}
	c.varBytes = total
	c.kernel.free(key)
	c.kernel.free(value)
}

// varTotal returns the size of all variables. It counts them once per call, so
// that setting many variables is not slow.
func (c *Call) varTotal() uint64 {
	if !c.hasVarBytes {
		c.varBytes, c.hasVarBytes = 0, true
		for name, value := range c.Vars {
			c.varBytes += varSize(name, value)
		}
	}
	return c.varBytes
}
