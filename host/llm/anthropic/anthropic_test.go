package anthropic_test

import (
	"os"
	"testing"

	"errand/host/llm"
	"errand/host/llm/anthropic"
	"errand/host/llm/llmtest"
)

func open(o llm.Options) llm.Adapter { return anthropic.New(o) }

func TestAdapter(t *testing.T) { llmtest.Run(t, open, os.Getenv("UPDATE") != "") }

func FuzzAnswer(f *testing.F) { llmtest.FuzzAnswer(f, open) }
