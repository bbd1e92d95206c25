package manifest

import (
	"strings"

	"errand/host/tool"
)

// Default limits.
const (
	DefaultMemory       Size = 64 << 20
	DefaultOutput       Size = 1 << 20
	DefaultHTTPBody     Size = 50 << 20
	DefaultHTTPRequests      = 100
	DefaultVars         Size = 1 << 20
	DefaultLogLines          = 1000
	DefaultInstances         = 4
	DefaultOpenFiles         = 256
	DefaultQuota        Size = 1 << 30
	DefaultMaxFile      Size = 256 << 20
)

// fill sets the defaults.
func (m *Manifest) fill() {
	orDefault(&m.State, Fresh)
	l := &m.Limits
	orDefault(&l.Memory, DefaultMemory)
	orDefault(&l.TimeoutMS, tool.DefaultTimeoutMS)
	orDefault(&l.Output, DefaultOutput)
	orDefault(&l.HTTPBody, DefaultHTTPBody)
	orDefault(&l.HTTPRequests, DefaultHTTPRequests)
	orDefault(&l.Vars, DefaultVars)
	orDefault(&l.LogLines, DefaultLogLines)
	orDefault(&l.Instances, DefaultInstances)
	orDefault(&l.OpenFiles, DefaultOpenFiles)
	for i := range m.Paths {
		p := &m.Paths[i]
		orDefault(&p.Mode, "ro")
		if p.Mode == "rw" {
			orDefault(&p.Quota, DefaultQuota)
			orDefault(&p.MaxFile, min(DefaultMaxFile, p.Quota))
		}
	}
	for i := range m.Tools {
		t := &m.Tools[i]
		orDefault(&t.RetryProfile, tool.RetryNone)
		if strings.TrimSpace(t.ArgsSchema) == "" {
			t.ArgsSchema = `{"type":"object","properties":{},"additionalProperties":false}`
		}
	}
	m.SHA256 = strings.ToLower(m.SHA256)
}

func orDefault[T comparable](value *T, usual T) {
	var none T
	if *value == none {
		*value = usual
	}
}
