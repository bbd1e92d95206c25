package event_test

import (
	"testing"

	"errand/host/event"
	"errand/host/event/eventtest"
)

func TestMemory(t *testing.T) {
	eventtest.Run(t, func(*testing.T) event.Journal { return &event.Memory{} })
}
