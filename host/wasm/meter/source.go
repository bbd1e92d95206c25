package meter

import (
	"slices"

	"errand/planner/message"
)

// Section ids of the core specification, §5.5.2, and the order of sections.
const (
	secCustom = iota
	secType
	secImport
	secFunction
	secTable
	secMemory
	secGlobal
	secExport
	secStart
	secElement
	secCode
	secData
	secDataCount
	secTag
)

var order = [...]int{secType: 1, secImport: 2, secFunction: 3, secTable: 4, secMemory: 5, secTag: 6, secGlobal: 7, secExport: 8, secStart: 9, secElement: 10, secDataCount: 11, secCode: 12, secData: 13}

// Limits of entries that cost the compiler much more memory than their size in the module.
// Browsers have the same limits.
const (
	maxLocals = 50_000  // of a function
	maxValues = 1_000   // parameters, and results, of a function
	maxBlocks = 1 << 16 // nested in a function
	maxEvents = 1 << 23 // calls, branches, loops and the like of a module
)

// signature is the type of a function.
type signature struct{ params, results []byte }

// key returns a string that is equal for equal types.
func (t signature) key() string { return string(t.params) + ">" + string(t.results) }

// source is a parsed module. Every index outside of function bodies has been checked, and
// function indices are already those after the import of yield.
type source struct {
	code    []byte
	options Options
	err     error
	effort  effort

	types      []signature
	funcs      []uint32 // type of each function, the imported ones first
	imported   uint32   // functions
	referenced []bool   // functions whose reference is taken, by index
	globals    []globalType
	tables     int
	memories   int
	elements   int
	datas      int // from the data count section, -1 without one
	bodies     []body

	importedGlobals int
	importedMemory  bool
	firstPages      uint32 // minimum size of the memory
	sharesTables    bool   // a table is imported or exported

	sections           [secTag]vector // in the rewritten module, without the additions
	start              *uint32
	names              []byte // contents of the name section
	newInstanceReasons []message.Message
}

type globalType struct {
	kind    byte
	mutable bool
}

// vector is a vector of encoded entries with its length.
type vector struct {
	count uint32
	bytes []byte
}

// body is the position of a function's locals and instructions.
type body struct{ start, end int }

// read parses a module.
func read(code []byte, o Options) (*source, error) {
	s := &source{code: code, options: o, datas: -1}
	s.effort.factor = float64(max(o.Effort, 1))
	s.effort.spend(perByte, len(code))
	r := &reader{b: code}
	switch {
	case len(code) < 8 || string(code[:4]) != "\x00asm":
		r.failMalformed(message.New("module.bad_start"))
	case string(code[4:8]) != "\x01\x00\x00\x00":
		r.rejectFeature(OtherKind, "module.uses_other_kind")
	case uint64(len(code)) > 1<<31:
		r.fail(ErrForbidden, message.New("module.too_large"))
	}
	r.pos = 8
	last := 0
	bodies := false
	for r.err == nil && r.remaining() > 0 {
		id := r.byte()
		size := r.u32()
		from := r.pos
		r.skip(uint64(size))
		if r.err != nil {
			break
		}
		if id != secCustom {
			if int(id) >= len(order) || order[id] <= last {
				r.pos = from
				r.failMalformed(message.New("module.section_out_of_order", "section", id))
				break
			}
			last = order[id]
		}
		if id == secTag {
			r.rejectFeature(Exceptions, exceptions)
			break
		}
		body := &reader{b: code[:r.pos], pos: from}
		s.section(id, body)
		if body.err == nil && body.remaining() > 0 && id != secCustom {
			body.failMalformed(message.New("module.section_too_long", "section", id))
		}
		r.err = body.err
		bodies = bodies || id == secCode
	}
	if defined := len(s.funcs) - int(s.imported); r.err == nil && len(s.bodies) != defined {
		r.failMalformed(message.New("module.other_function_count", "declared", defined, "count", len(s.bodies)))
	}
	if v := s.sections[secData]; r.err == nil && s.datas >= 0 && uint32(s.datas) != v.count {
		r.failMalformed(message.New("module.other_data_count", "announced", s.datas, "count", v.count))
	}
	return s, r.err
}

// sectionCosts are the costs of the entries of sections.
var sectionCosts = [secTag]cost{
	secType: perType, secImport: perImport, secTable: perTable, secGlobal: perGlobal, secExport: perExport, secElement: perSegment, secData: perSegment,
}

func (s *source) section(id byte, r *reader) {
	switch id {
	case secCustom:
		s.effort.spend(perSegment, 1)
		from := r.pos
		if r.name() == "name" && s.names == nil && r.err == nil {
			s.names = r.b[r.pos:]
		}
		if r.err != nil {
			r.pos = from
		}
		return
	case secStart:
		n := r.index("function", len(s.funcs))
		s.start = &n
		return
	case secDataCount:
		if s.datas = int(r.u32()); r.err == nil && s.datas > len(s.code) {
			r.failMalformed(message.New("module.too_many_data_announced"))
		}
		return
	}
	v := &s.sections[id]
	n := r.u32()
	v.count = n
	if c := sectionCosts[id]; c.time > 0 {
		s.effort.spend(c, int(min(n, uint32(r.remaining())))) // each has a byte at least
	}
	if m := s.effort.excess(-1); !m.IsZero() {
		r.fail(ErrComplex, m)
		return
	}
	from := r.pos
	copied := true // the entries are unchanged
	switch id {
	case secType:
		s.readTypes(r, n)
	case secImport:
		s.readImports(r, n)
	case secFunction:
		for r.next(&n) {
			s.funcs = append(s.funcs, r.index("type", len(s.types)))
		}
		s.referenced = make([]bool, len(s.funcs))
	case secMemory:
		for r.next(&n) {
			s.memory(r)
		}
	case secData:
		s.readDatas(r, n)
	case secCode:
		s.readCode(r, n)
		return
	case secTable:
		copied = false
		s.readTables(r, n, v)
	case secGlobal:
		copied = false
		s.readGlobals(r, n, v)
	case secExport:
		copied = false
		s.readExports(r, n, v)
	case secElement:
		copied = false
		s.readElements(r, n, v)
	}
	if copied {
		v.bytes = r.b[from:r.pos]
	}
}

// newIndex returns the new index of a function: yield is inserted after the module's imports.
func (s *source) newIndex(index uint32) uint32 {
	if index < s.imported {
		return index
	}
	return index + 1
}

// addReason records the code of a reason why an instance can't be reset.
func (s *source) addReason(code string) {
	reason := message.New(code)
	if !slices.ContainsFunc(s.newInstanceReasons, reason.Equal) {
		s.newInstanceReasons = append(s.newInstanceReasons, reason)
	}
}
