package opa

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"
)

func TestX(t *testing.T) {
	c, _ := os.ReadFile("/tmp/p.wasm")
	p, err := Load(context.Background(), c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := []byte(`{"tool":"mail.send","class":"auth","resources":[{"name":"r1"}]}`)
	a, err := p.Eval(context.Background(), in, time.Second)
	t.Log(string(a), err)
	_ = json.Marshal
}
func BenchmarkEval(b *testing.B) {
	c, _ := os.ReadFile("/tmp/p.wasm")
	p, err := Load(context.Background(), c, Options{})
	if err != nil {
		b.Fatal(err)
	}
	in := []byte(`{"tool":"mail.send","class":"auth","resources":[{"name":"r1"}]}`)
	for b.Loop() {
		p.Eval(context.Background(), in, time.Second)
	}
}
