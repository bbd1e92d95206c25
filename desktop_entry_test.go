package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
)

// TestTheWindowsManualNamesItsFlags: the page is written by hand, the flags are
// those that the program takes.
func TestTheWindowsManualNamesItsFlags(t *testing.T) {
	page := read(t, "build/package/errand-desktop.1")
	var named []string
	for _, m := range regexp.MustCompile(`(?m)^\\fB\\-([a-z-]+)\\fR`).FindAllStringSubmatch(page, -1) {
		named = append(named, m[1])
	}
	slices.Sort(named)
	if taken := flagsOfTheWindow(t); !slices.Equal(named, taken) {
		t.Errorf("the manual names %q, the program takes %q", named, taken)
	}
}

// TestTheDesktopsEntryStartsTheWindow: each of its commands is the window's, with
// flags that it takes.
func TestTheDesktopsEntryStartsTheWindow(t *testing.T) {
	entry := read(t, "build/package/errand.desktop")
	taken := flagsOfTheWindow(t)
	commands := regexp.MustCompile(`(?m)^Exec=(.*)$`).FindAllStringSubmatch(entry, -1)
	if len(commands) == 0 {
		t.Fatal("it starts nothing")
	}
	for _, m := range commands {
		words := strings.Fields(m[1])
		if words[0] != "errand-desktop" {
			t.Errorf("%q starts another program", m[1])
		}
		for _, flag := range words[1:] {
			if !slices.Contains(taken, strings.TrimLeft(flag, "-")) {
				t.Errorf("%q: the program takes %q", m[1], taken)
			}
		}
	}
}

// TestTheWindowTakesNoWords: flags behind a word would be passed over in silence.
func TestTheWindowTakesNoWords(t *testing.T) {
	var said bytes.Buffer
	if code := run([]string{"open youtube", "--demo"}, &said); code != 2 || !strings.Contains(said.String(), `"open youtube"`) {
		t.Errorf("run = %d, %s", code, &said)
	}
}

// flagsOfTheWindow is what errand-desktop --help lists, sorted.
func flagsOfTheWindow(t *testing.T) []string {
	t.Helper()
	var said bytes.Buffer
	if code := run([]string{"--help"}, &said); code != 0 {
		t.Fatalf("--help ends with %d: %s", code, &said)
	}
	var flags []string
	for _, m := range regexp.MustCompile(`(?m)^  -([a-z-]+)`).FindAllStringSubmatch(said.String(), -1) {
		flags = append(flags, m[1])
	}
	if len(flags) == 0 {
		t.Fatalf("no flags in %s", &said)
	}
	slices.Sort(flags)
	return flags
}

func read(t *testing.T, name string) string {
	t.Helper()
	return string(must.ReadFile(t, name))
}
