package plugins_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/files/parts"
	"errand/host/tool"
)

// killedWhile ends a call as soon as its temporary file or folder is there: it leaves what a
// program leaves that is killed.
func killedWhile(t *testing.T, tl tool.Tool, call tool.Call, part string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = tl.Call(ctx, call)
	}()
	poll.Await(t, "the temporary file", func() bool { _, err := os.Lstat(part); return err == nil })
	cancel()
	<-ended
}

// TestKilledWhileWriting checks that what a tool makes has its name only when it is whole, that
// what a killed call left goes, and that the same call can be made again.
func TestKilledWhileWriting(t *testing.T) {
	root := t.TempDir()
	at := func(rel string) string { return filepath.Join(root, rel) }
	must.Succeed(t, os.MkdirAll(at("there"), 0o700)) // long before a call begins
	noise := make([]byte, 24<<20)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	must.Succeed(t, os.WriteFile(at("noise"), noise, 0o600))
	all := tools(t, root)
	packed := tool.Call{Tool: "archive.create", Args: args("path", at("noise"), "destination", at("noise.zip")), Key: "r0:a1"}
	if r, err := all["archive.create"].Call(t.Context(), packed); err != nil || !r.OK {
		t.Fatal(r.Error, err)
	}
	for name, tt := range map[string]struct {
		tool string
		args map[string]any
		part string // the folder of the temporary name
		made string
	}{
		"a zip":                         {"archive.create", args("path", at("noise"), "destination", at("a.zip")), "", "a.zip"},
		"a zip in a new folder":         {"archive.create", args("path", at("noise"), "destination", at("new/a.zip")), "new", "new/a.zip"},
		"what a zip holds":              {"archive.extract", args("path", at("noise.zip"), "into", at("out")), "", "out"},
		"what a zip holds, in a folder": {"archive.extract", args("path", at("noise.zip"), "into", at("there")), "there", "there/noise"},
	} {
		t.Run(name, func(t *testing.T) {
			call := tool.Call{Tool: tt.tool, Args: tt.args, Key: "r1:" + name}
			part := filepath.Join(at(tt.part), tool.PartName(call.Key))
			began := time.Now()
			killedWhile(t, all[tt.tool], call, part)
			if _, err := os.Lstat(at(tt.made)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("what is not whole has its name: %v", err)
			}
			call.Claimed = began
			found, err := all[tt.tool].(tool.Reconciler).Reconcile(t.Context(), call)
			if err != nil || tt.made != "there/noise" && found.Effect != tool.Released {
				t.Errorf("found %s, %v", found.Effect, err)
			}
			call.Claimed = time.Time{}
			if r, err := all[tt.tool].Call(t.Context(), call); err != nil || !r.OK {
				t.Fatal("again: ", r.Error, err)
			}
			if _, err := os.Lstat(part); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the temporary name is left: %v", err)
			}
			call.Claimed = began // and its record was lost
			found, err = all[tt.tool].(tool.Reconciler).Reconcile(t.Context(), call)
			if err != nil || found.Effect != tool.Committed {
				t.Fatalf("found %s, %v", found.Effect, err)
			}
			if hasUndo := tt.made != "there/noise"; (found.Result.Undo != nil) != hasUndo {
				t.Fatalf("undo %v", found.Result.Undo)
			} else if hasUndo {
				u, err := all[found.Result.Undo.Tool].Call(t.Context(), tool.Call{Tool: found.Result.Undo.Tool, Args: found.Result.Undo.Args, Key: "r2:a1"})
				if err != nil || !u.OK {
					t.Fatal("undo: ", u.Error, err)
				}
				if _, err := os.Lstat(at(tt.made)); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("undone, it is still there: %v", err)
				}
			}
		})
	}
	t.Run("the remains go with the next run", func(t *testing.T) {
		for _, name := range []string{"archive.create", "archive.extract"} {
			call := tool.Call{Tool: name, Args: args("path", at("noise"), "destination", at("b.zip")), Key: "r3:" + name}
			if name == "archive.extract" {
				call.Args = args("path", at("noise.zip"), "into", at("b"))
			}
			killedWhile(t, all[name], call, at(tool.PartName(call.Key)))
			must.Succeed(t, os.WriteFile(at(".errand-other.part"), nil, 0o600))
			must.Succeed(t, parts.Remove([]string{root}, all[name].Spec(), call))
			for _, n := range list(t, root) {
				if strings.HasPrefix(n, ".errand-") && n != ".errand-other.part" {
					t.Errorf("%s left %s", name, n)
				}
			}
		}
	})
}

// TestReconciledCreation checks that a file or folder whose record was lost can be undone if it
// was made since the call began, and that an older one is not the call's.
func TestReconciledCreation(t *testing.T) {
	root := t.TempDir()
	all := tools(t, root)
	path := filepath.Join(root, "made")
	for name, tt := range map[string]struct {
		tool   string
		args   map[string]any
		older  bool
		change func(*testing.T)
		state  tool.EffectState
		undo   bool
	}{
		"a file":                  {"files.create_file", args("path", path, "content", "hello"), false, nil, tool.Committed, true},
		"an empty file":           {"files.create_file", args("path", path), false, nil, tool.Committed, true},
		"a folder":                {"files.create_folder", args("path", path), false, nil, tool.Committed, true},
		"an older file":           {"files.create_file", args("path", path, "content", "hello"), true, nil, tool.Committed, false},
		"an older folder":         {"files.create_folder", args("path", path), true, nil, tool.Committed, false},
		"a file, changed since":   {"files.create_file", args("path", path, "content", "hello"), false, func(t *testing.T) { write(t, path, "mine") }, tool.Unknown, false},
		"a file, emptied by hand": {"files.create_file", args("path", path, "content", "hello"), false, func(t *testing.T) { write(t, path, "") }, tool.Unknown, false},
		"one with a text, though none was asked for": {"files.create_file", args("path", path), false, func(t *testing.T) { write(t, path, "mine") }, tool.Committed, false},
		"its name only": {"files.create_file", args("path", path, "content", "hello"), false, func(t *testing.T) {
			write(t, path, "")
			write(t, filepath.Join(root, tool.PartName("r1:a1")), "hel")
		}, tool.Released, false},
	} {
		t.Run(name, func(t *testing.T) {
			must.Succeed(t, os.RemoveAll(path))
			call := tool.Call{Tool: tt.tool, Args: tt.args, Key: "r1:a1"}
			began := time.Now()
			if r, err := all[tt.tool].Call(t.Context(), call); err != nil || !r.OK {
				t.Fatal(r.Error, err)
			}
			if tt.older {
				began = time.Now().Add(time.Minute)
			}
			if tt.change != nil {
				tt.change(t)
			}
			again := call
			again.Claimed = began
			found, err := all[tt.tool].(tool.Reconciler).Reconcile(t.Context(), again)
			if err != nil || found.Effect != tt.state || (found.Result.Undo != nil) != tt.undo {
				t.Errorf("%s, undo %v, %v", found.Effect, found.Result.Undo, err)
			}
			if tt.state != tool.Released {
				return
			}
			if r, err := all[tt.tool].Call(t.Context(), call); err != nil || !r.OK || read(t, path) != "hello" {
				t.Errorf("again: %v, %v", r.Error, err)
			}
		})
	}
}
