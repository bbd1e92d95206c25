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
	orElse(&m.State, Fresh)
	l := &m.Limits
	orElse(&l.Memory, DefaultMemory)
	orElse(&l.TimeoutMS, tool.DefaultTimeoutMS)
	orElse(&l.Output, DefaultOutput)
	orElse(&l.HTTPBody, DefaultHTTPBody)
	orElse(&l.HTTPRequests, DefaultHTTPRequests)
	orElse(&l.Vars, DefaultVars)
	orElse(&l.LogLines, DefaultLogLines)
	orElse(&l.Instances, DefaultInstances)
	orElse(&l.OpenFiles, DefaultOpenFiles)
	for i := range m.Paths {
		p := &m.Paths[i]
		orElse(&p.Mode, "ro")
		if p.Mode == "rw" {
			orElse(&p.Quota, DefaultQuota)
			orElse(&p.MaxFile, min(DefaultMaxFile, p.Quota))
		}
	}
	for i := range m.Tools {
		t := &m.Tools[i]
		orElse(&t.RetryProfile, tool.RetryNone)
		if strings.TrimSpace(t.ArgsSchema) == "" {
			t.ArgsSchema = `{"type":"object","properties":{},"additionalProperties":false}`
		}
	}
	m.SHA256 = strings.ToLower(m.SHA256)
}

func orElse[T comparable](value *T, usual T) {
	var none T
	if *value == none {
		*value = usual
	}
}
