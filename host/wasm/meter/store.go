package meter

import (
	"bytes"
	"encoding/json"

	"errand/planner/message"
)

// header is the JSON line before the code of a stored module.
type header struct {
	Fuel, Stack, Pages string
	Globals            []Global
	NewInstanceReasons []message.Message `json:"Held"`
	Imported, Defined  uint32
}

// MarshalBinary encodes the module: a line of JSON, then the code. The result is
// valid only for this [Version] and the same options.
func (m *Module) MarshalBinary() ([]byte, error) {
	h, err := json.Marshal(header{m.Fuel, m.Stack, m.Pages, m.Globals, m.NewInstanceReasons, m.shift.imported, m.shift.defined})
	if err != nil {
		return nil, err
	}
	return append(append(h, '\n'), m.Code...), nil
}

// UnmarshalBinary decodes the output of MarshalBinary. The module keeps b. The code is not
// checked; the caller must trust the bytes.
func (m *Module) UnmarshalBinary(b []byte) error {
	line, code, found := bytes.Cut(b, []byte("\n"))
	if !found {
		return message.Error("module.stored_without_code")
	}
	var h header
	if err := json.Unmarshal(line, &h); err != nil {
		return err
	}
	*m = Module{Code: code, Fuel: h.Fuel, Stack: h.Stack, Pages: h.Pages, Globals: h.Globals, NewInstanceReasons: h.NewInstanceReasons, shift: shift{h.Imported, h.Defined}}
	return nil
}
