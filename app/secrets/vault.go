// Package secrets keeps the secrets of the program and of its runs in memory, and
// removes them from what is written down or shown.
package secrets

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy/redact"
)

// Vault holds the secrets that no record keeps: those of the program, which
// plugins are configured with, and by run those that its plan refers to and those
// that its steps typed. It may be used by several goroutines at once.
type Vault struct {
	Key
	// Watch gets each value before it is cleaned. It may be nil, and is set before the
	// vault is used.
	Watch func(any)

	redaction bool // whether what only looks like a secret is removed, and secrets of plugins are

	program atomic.Pointer[redact.Redactor] // nil: nothing is removed
	bound   atomic.Pointer[redact.Bindings] // the hosts that the program's secrets may go to

	mu             sync.Mutex
	programSecrets []string         // the program's secrets
	keys           []string         // secrets that are removed also where redaction is off
	checker        *redact.Redactor // of [Vault.Redactor] while redaction is off; nil before its use
	runs           map[string]*runSecrets
}

type runSecrets struct {
	planSecrets tool.Secrets
	learned     []string
	redact      *redact.Redactor // of both, and of the program's own; nil: as the program's
}

// NewVault makes an empty vault. redaction says whether text that only looks like
// a secret is removed, too. key returns the key of the installation, for the tags of marks
// and for [Key.Seal]. It is called at its first use, by several goroutines. Nil: there
// is no key.
func NewVault(redaction bool, key func() []byte) *Vault {
	v := &Vault{Key: Key{key}, redaction: redaction}
	if redaction {
		v.program.Store(v.newRedactor(nil))
	}
	return v
}

func (v *Vault) newRedactor(secrets []string, o ...redact.Option) *redact.Redactor {
	if v.Key.load != nil {
		o = append(o, redact.WithLazyKey(v.Key.load))
	}
	return redact.New(secrets, o...)
}

// Redactor removes the program's secrets and what looks like a secret, also where
// redaction is switched off.
func (v *Vault) Redactor() *redact.Redactor {
	if v.redaction {
		return v.program.Load()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.checker == nil {
		v.checker = v.newRedactor(v.allSecrets())
	}
	return v.checker
}

// Bind takes the program's secrets and the hosts that each may be sent to.
func (v *Vault) Bind(bound *redact.Bindings, values []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.bound.Store(bound)
	v.programSecrets = values
	v.update()
}

// AddKey keeps a key of the program that no record and no message ever has, also where
// redaction is switched off.
func (v *Vault) AddKey(key string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if key != "" && !slices.Contains(v.keys, key) {
		v.keys = append(v.keys, key)
		v.update()
	}
}

// update makes the redactors again. The caller holds the lock.
func (v *Vault) update() {
	v.checker = nil
	switch {
	case v.redaction:
		v.program.Store(v.newRedactor(v.allSecrets()))
	case len(v.keys) > 0:
		v.program.Store(v.newRedactor(v.keys, redact.OnlyGiven()))
	}
	for _, r := range v.runs {
		r.redact = v.redactor(r)
	}
}

// allSecrets are the secrets of the program and its keys.
func (v *Vault) allSecrets() []string { return slices.Concat(v.programSecrets, v.keys) }

// HasSecret reports whether a text holds one of the program's secrets, or something that
// looks like a secret, also where redaction is switched off.
func (v *Vault) HasSecret(text string) bool {
	return v.Redactor().Text(text) != text
}

// FindSecrets lists the secrets of a text that [Vault.HasSecret] finds.
func (v *Vault) FindSecrets(text string) []string { return v.Redactor().Secrets(text) }

// Bindings are the hosts that the program's secrets may go to; nil: it has none.
func (v *Vault) Bindings() *redact.Bindings { return v.bound.Load() }

// AddPlanSecrets keeps the secrets that a run's plan refers to.
func (v *Vault) AddPlanSecrets(runID string, secrets tool.Secrets) {
	if len(secrets) == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	r := v.secretsOf(runID)
	r.planSecrets = maps.Clone(secrets)
	r.redact = v.redactor(r)
}

// AddLearned keeps values that a run turned out to hold and that are secrets.
func (v *Vault) AddLearned(runID string, secrets []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	r := v.secretsOf(runID)
	for _, s := range secrets {
		known := slices.Contains(r.learned, s) || slices.Contains(slices.Collect(maps.Values(r.planSecrets)), s)
		if !known {
			r.learned = append(r.learned, s)
			r.redact = v.redactor(r)
		}
	}
}

func (v *Vault) secretsOf(runID string) *runSecrets {
	r := v.runs[runID]
	if r == nil {
		r = &runSecrets{}
		if v.runs == nil {
			v.runs = map[string]*runSecrets{}
		}
		v.runs[runID] = r
	}
	return r
}

// redactor removes a run's secrets, whether the program removes what only looks
// like one or not.
func (v *Vault) redactor(r *runSecrets) *redact.Redactor {
	values := slices.Concat(slices.Collect(maps.Values(r.planSecrets)), r.learned)
	slices.Sort(values)
	if !v.redaction {
		return v.newRedactor(append(values, v.keys...), redact.OnlyGiven())
	}
	return v.newRedactor(append(values, v.allSecrets()...))
}

// Forget drops what is known of a run that has ended.
func (v *Vault) Forget(runID string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.runs, runID)
}

// HasLearnt reports whether a run turned out to hold secrets that its plan did
// not declare.
func (v *Vault) HasLearnt(runID string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	r := v.runs[runID]
	return r != nil && len(r.learned) > 0
}

// PlanSecrets are the secrets that a run's plan refers to, as far as this program was given
// them.
func (v *Vault) PlanSecrets(runID string) tool.Secrets {
	v.mu.Lock()
	defer v.mu.Unlock()
	if r := v.runs[runID]; r != nil {
		return r.planSecrets
	}
	return nil
}

// Cleaner removes the program's secrets.
func (v *Vault) Cleaner() Cleaner { return Cleaner{v.program.Load(), v.Watch, v.Key} }

// CleanerOf removes a run's secrets, and those of the program.
func (v *Vault) CleanerOf(runID string) Cleaner {
	v.mu.Lock()
	defer v.mu.Unlock()
	if r := v.runs[runID]; r != nil && r.redact != nil {
		return Cleaner{r.redact, v.Watch, v.Key}
	}
	return v.Cleaner()
}

// MissingSecrets names the secrets that a run's plan refers to and this program was not
// given.
func (v *Vault) MissingSecrets(runID string, p plan.Plan) []string {
	have := v.PlanSecrets(runID)
	var args []any
	for _, a := range p.Actions() {
		args = append(args, a.Args)
	}
	return slices.DeleteFunc(tool.SecretRefs(args), func(name string) bool { _, ok := have[name]; return ok })
}
