package rego

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"errand/app/config/policyfile"
	"errand/host/wasm/codecache"
	"errand/host/wasm/opa"
	"errand/policy/rego"
)

// Policy is an open policy. Close releases it.
type Policy struct {
	*rego.Decider
	module *opa.Policy
}

// Close ends the policy. It denies from then on.
func (p *Policy) Close() error {
	p.module.Close()
	return nil
}

// Options say how to open policies.
type Options struct {
	Compiler Compiler
	// CacheDir keeps what was compiled, sealed with the key in KeyFile. Empty: nothing is kept.
	CacheDir, KeyFile string
}

// Open compiles the files and starts the policy. Files with tests are left out. If there are problems,
// there is no policy.
func Open(ctx context.Context, files []policyfile.File, o Options) (*Policy, []Problem, error) {
	var sources []policyfile.File
	for _, f := range files {
		if !f.IsTest() {
			sources = append(sources, f)
		}
	}
	cache, err := o.cache()
	if err != nil {
		cache = nil // it is only slower
	}
	code, problems, err := o.compile(ctx, sources, cache)
	if err != nil || len(problems) > 0 {
		return nil, problems, err
	}
	module, err := opa.Load(ctx, code, opa.Options{Cache: cache})
	if err != nil {
		return nil, nil, err
	}
	return &Policy{rego.New(evaluator{module}, digest(sources, code)), module}, nil, nil
}

func (o Options) cache() (*codecache.Cache, error) {
	if o.CacheDir == "" || o.KeyFile == "" {
		return nil, nil
	}
	return codecache.Open(o.CacheDir, o.KeyFile)
}

const moduleFile = "policy.wasm"

// compile compiles the files, or takes the module from the cache.
func (o Options) compile(ctx context.Context, files []policyfile.File, cache *codecache.Cache) ([]byte, []Problem, error) {
	var folder *codecache.Folder
	if cache != nil {
		var err error
		if folder, err = cache.Folder("rego " + o.Compiler.version() + " " + digest(files, nil)); err == nil {
			defer folder.Drop()
			if folder.Sealed {
				if code, err := os.ReadFile(filepath.Join(folder.Path(), moduleFile)); err == nil {
					return code, nil, nil
				}
			}
		}
	}
	var answer compiled
	err := o.Compiler.ask(ctx, "compile", question{files}, &answer)
	if err != nil || len(answer.Problems) > 0 {
		return nil, answer.Problems, err
	}
	if folder != nil && !folder.Sealed && os.WriteFile(filepath.Join(folder.Path(), moduleFile), answer.Wasm, 0o600) == nil {
		_ = folder.Seal() // else it is compiled again next time
	}
	return answer.Wasm, nil, nil
}

// version tells one compiler from another without starting it.
func (c Compiler) version() string {
	info, err := os.Stat(c.Path)
	if err != nil {
		return "none"
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// digest identifies policies: their files, and what they were compiled to.
func digest(files []policyfile.File, code []byte) string {
	text, err := json.Marshal(files)
	if err != nil { // they are texts
		return ""
	}
	sum := sha256.Sum256(append(text, code...))
	return hex.EncodeToString(sum[:])
}

// evaluator is a module as [rego.Decider] needs it.
type evaluator struct{ module *opa.Policy }

func (e evaluator) Eval(ctx context.Context, input []byte, limit time.Duration) ([]byte, error) {
	answer, err := e.module.Eval(ctx, input, limit)
	if errors.Is(err, opa.ErrTime) || errors.Is(err, opa.ErrFuel) {
		return nil, rego.ErrTime
	}
	return answer, err
}
