package system

import (
	"errors"
	"testing"

	"errand/host/tool"
)

// ownSettings are settings in memory. "bad" is no value.
type ownSettings map[string]string

func (s ownSettings) Setting(key string) (string, error) { return s[key], nil }

func (s ownSettings) ChangeSetting(key, value string) error {
	if value == "bad" {
		return errors.New("not a site")
	}
	s[key] = value
	return nil
}

// TestSetSetting changes only the listed settings, and its inverse only a value that is still
// the one that the call set.
func TestSetSetting(t *testing.T) {
	own := ownSettings{"search.maps": "bing"}
	x := setSettingTool(Options{Settings: own})
	if s := x.Spec(); s.SideEffectClass != tool.Write || !s.Reversible || s.Validate() != nil {
		t.Errorf("spec = %+v", s)
	}
	call := func(args map[string]any) tool.Result {
		t.Helper()
		r, err := x.Call(t.Context(), tool.Call{Args: args})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := call(map[string]any{"setting": "search.maps", "value": "google_maps"})
	if !first.OK || own["search.maps"] != "google_maps" || first.Undo == nil {
		t.Fatalf("result %+v, settings %v", first, own)
	}
	for _, tt := range []struct {
		name string
		args map[string]any
		code string
	}{
		{"policy", map[string]any{"setting": "policy.redaction", "value": "false"}, "no_setting"},
		{"allowed domains", map[string]any{"setting": "policy.allowed_domains", "value": "*"}, "no_setting"},
		{"a bad value", map[string]any{"setting": "search.media", "value": "bad"}, "bad_setting"},
		{"another value meanwhile", map[string]any{"setting": "search.maps", "value": "bing", "if_value": "yandex_maps"}, "setting_changed"},
	} {
		if r := call(tt.args); r.OK || r.Error == nil || r.Error.Code != tt.code {
			t.Errorf("%s: %+v, want the error %s", tt.name, r, tt.code)
		}
	}
	reconciler := x.(tool.Reconciler)
	for value, want := range map[string]tool.EffectState{"google_maps": tool.Committed, "bing": tool.Released} {
		got, err := reconciler.Reconcile(t.Context(), tool.Call{Args: map[string]any{"setting": "search.maps", "value": value}})
		if err != nil || got.Effect != want || want == tool.Committed && got.Result.Undo != nil {
			t.Errorf("Reconcile of %s = %+v, %v, want %s", value, got, err, want)
		}
	}
	if r := call(first.Undo.Args); !r.OK || own["search.maps"] != "bing" {
		t.Errorf("undo: %+v, settings %v", r, own)
	}
	none := setSettingTool(Options{})
	if r, _ := none.Call(t.Context(), tool.Call{Args: map[string]any{"setting": "search.maps", "value": "bing"}}); r.OK {
		t.Error("a program without settings changed one")
	}
}
