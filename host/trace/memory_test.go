package trace_test

import (
	"testing"

	"errand/host/trace"
	"errand/host/trace/tracetest"
)

func TestMemory(t *testing.T) {
	tracetest.Run(t, func(t *testing.T) tracetest.Log { return &trace.Memory{} })
}
