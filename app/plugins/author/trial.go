package author

import (
	"context"
	"os"
	"path/filepath"

	"errand/app/plugins"
	"errand/host/tool"
	"errand/host/wasm/install"
	"errand/host/wasm/kit"
	"errand/host/wasm/manifest"
	"errand/host/wasm/trial"
	"errand/planner/message"
)

// Test selects the cases of a plugin to run.
type Test struct {
	Folder string
	// Record sends real requests, to hosts of the manifest that the user allows, and
	// writes the answers into the manifest.
	Record  bool
	Selects func(tool, title string) bool // nil: all
	// Uncached does not cache the compiled module, because the next build differs.
	Uncached bool
}

// Case is the outcome of a case.
type Case struct {
	trial.Outcome
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
}

// Diff is one thing that came out otherwise than a case expects.
type Diff = trial.Diff

// Test runs the cases of the manifest in a plugin's folder. A case that
// fails is an outcome; the error is a *tool.Error of a plugin that can't be
// loaded or recorded.
func (k *Kit) Test(ctx context.Context, t Test) ([]Case, error) {
	m, err := kit.ReadManifest(t.Folder)
	if err != nil {
		return nil, err
	}
	if err := plugins.CheckPhrases(k.Set, &m); err != nil {
		return nil, err
	}
	reserved, err := plugins.ReservedIDs()
	if err != nil {
		return nil, err
	}
	o := trial.Options{Effort: k.Set.Effort, CacheDir: k.Set.CacheDir(), KeyFile: k.Set.KeyFile(), Reserved: reserved, Selects: t.Selects}
	if t.Uncached {
		o.CacheDir = ""
	}
	if t.Record {
		if o.Record, err = k.Set.Client(); err != nil {
			return nil, err
		}
	}
	outcomes, err := trial.Run(ctx, install.Folder(t.Folder), o)
	if err != nil {
		return nil, plugins.InputError(err)
	}
	place := filepath.Join(t.Folder, manifest.File)
	doc, err := install.ReadManifest(os.DirFS(t.Folder))
	if err != nil {
		return nil, tool.NewError(tool.ExecutionError, "bad_manifest", message.New("author.bad_manifest", "cause", err))
	}
	if t.Record {
		if doc, err = writeOutcomes(place, doc, outcomes); err != nil {
			return nil, err
		}
	}
	lines := manifest.CaseLines(doc)
	cases := make([]Case, len(outcomes))
	for i, out := range outcomes {
		cases[i] = Case{Outcome: out, File: place}
		if out.Number < len(lines) {
			cases[i].Line = lines[out.Number]
		}
	}
	return cases, nil
}

// writeOutcomes writes recorded outcomes into a manifest. It also writes the answer of a
// failed case, which may correct the case.
func writeOutcomes(place string, doc []byte, outcomes []trial.Outcome) ([]byte, error) {
	before := string(doc)
	for _, out := range outcomes {
		if len(out.Recorded) == 0 {
			continue
		}
		next, err := manifest.Record(doc, out.Number, out.Recorded)
		if err != nil {
			return nil, tool.NewError(tool.ValidationError, "not_recorded", message.New("author.not_recorded", "case", out.Case, "file", place, "cause", err))
		}
		doc = next
	}
	if string(doc) == before {
		return doc, nil
	}
	return doc, kit.Rewrite(place, doc)
}
