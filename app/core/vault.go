package core

import (
	"crypto/rand"
	"maps"
	"slices"
	"sync"

	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy/redact"
)

// vault holds what the runs of this program know and no record keeps: by run, the
// secrets that its plan refers to, and those that its steps turned out to type.
// It is in memory alone. It may be used by several goroutines at once.
type vault struct {
	mu   sync.Mutex
	runs map[string]*runSecrets
}

type runSecrets struct {
	given  tool.Secrets
	learnt []string
	redact *redact.Redactor // of both, and of the program's own; nil: as the program's
}

// tagKey is of the marks that stand for a run's secrets: their four digits say
// nothing to whoever guesses.
var tagKey = func() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	return key
}()

// entrust keeps the secrets that a run's plan refers to.
func (a *App) entrust(runID string, secrets tool.Secrets) {
	if len(secrets) == 0 {
		return
	}
	a.vault.mu.Lock()
	defer a.vault.mu.Unlock()
	r := a.vault.of(runID)
	r.given = maps.Clone(secrets)
	r.redact = a.redactor(r)
}

// learn keeps values that a run turned out to hold and that are secrets.
func (a *App) learn(runID string, secrets []string) {
	a.vault.mu.Lock()
	defer a.vault.mu.Unlock()
	r := a.vault.of(runID)
	for _, s := range secrets {
		known := slices.Contains(r.learnt, s) || slices.Contains(slices.Collect(maps.Values(r.given)), s)
		if !known {
			r.learnt = append(r.learnt, s)
			r.redact = a.redactor(r)
		}
	}
}

func (v *vault) of(runID string) *runSecrets {
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
func (a *App) redactor(r *runSecrets) *redact.Redactor {
	values := slices.Concat(slices.Collect(maps.Values(r.given)), r.learnt)
	slices.Sort(values)
	if a.redact.Load() == nil {
		return redact.New(values, redact.Keyed(tagKey), redact.Exact())
	}
	if own := a.secrets.Load(); own != nil {
		values = append(values, *own...)
	}
	return redact.New(values, redact.Keyed(tagKey))
}

// renew takes up the program's own secrets, which plugins brought meanwhile.
func (v *vault) renew(redactor func(*runSecrets) *redact.Redactor) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.runs {
		r.redact = redactor(r)
	}
}

// forgetSecrets ends what is known of a run that is over.
func (a *App) forgetSecrets(runID string) {
	a.vault.mu.Lock()
	defer a.vault.mu.Unlock()
	delete(a.vault.runs, runID)
}

// learnt reports whether a run turned out to hold secrets that nobody declared.
func (a *App) learnt(runID string) bool {
	a.vault.mu.Lock()
	defer a.vault.mu.Unlock()
	r := a.vault.runs[runID]
	return r != nil && len(r.learnt) > 0
}

// secretsOf are those that a run's plan refers to, as far as this program was
// given them.
func (a *App) secretsOf(runID string) tool.Secrets {
	a.vault.mu.Lock()
	defer a.vault.mu.Unlock()
	if r := a.vault.runs[runID]; r != nil {
		return r.given
	}
	return nil
}

// cleanOf removes a run's secrets, and those of the program.
func (a *App) cleanOf(runID string) cleaner {
	a.vault.mu.Lock()
	defer a.vault.mu.Unlock()
	if r := a.vault.runs[runID]; r != nil && r.redact != nil {
		return cleaner{r.redact}
	}
	return cleaner{a.redact.Load()}
}

// lacking names the secrets that a plan refers to and nobody gave to this program.
func (a *App) lacking(runID string, p plan.Plan) []string {
	have := a.secretsOf(runID)
	return slices.DeleteFunc(tool.SecretRefs(anyArgs(p)), func(name string) bool { _, ok := have[name]; return ok })
}
