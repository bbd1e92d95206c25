package ollama_test

import (
	"os"
	"testing"

	"errand/host/llm"
	"errand/host/llm/llmtest"
	"errand/host/llm/ollama"
)

func open(o llm.Options) llm.Adapter { return ollama.New(o) }

func TestAdapter(t *testing.T) { llmtest.Run(t, open, os.Getenv("UPDATE") != "") }

func FuzzAnswer(f *testing.F) { llmtest.FuzzAnswer(f, open) }
