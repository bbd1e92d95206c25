package places

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/planner/plan"
)

// TestCheckKinds checks goals about a path that has another kind of object than they say.
func TestCheckKinds(t *testing.T) {
	goal := func(action, kind, path string) plan.Goal {
		return plan.Goal{GoalType: plan.FileOperation, Action: action, ObjectType: kind, Target: path}
	}
	for _, tt := range []struct {
		name  string
		goals []plan.Goal
		facts []string
		want  string // message and hint
	}{
		{"delete a file that is a folder", []plan.Goal{goal("delete", "file", "/a")}, []string{"is_folder:/a"}, "/a is a folder. to delete it, say: delete folder \"/a\""},
		{"delete a folder that is a file", []plan.Goal{goal("delete", "folder", "/a b")}, []string{"is_file:/a b"}, "/a b is a file. to delete it, say: delete file \"/a b\""},
		{"create a file where a folder is", []plan.Goal{goal("create", "file", "/a")}, []string{"is_folder:/a"}, "/a is a folder. choose another name, or say: delete folder \"/a\""},
		{"create a folder where a file is", []plan.Goal{goal("create", "folder", "/a")}, []string{"is_file:/a"}, "/a is a file. choose another name, or say: delete file \"/a\""},
		{"the second goal", []plan.Goal{goal("delete", "file", "/b"), goal("delete", "file", "/a")}, []string{"exists:/b", "is_folder:/a"}, "/a is a folder. to delete it, say: delete folder \"/a\""},
		{"the folder is deleted first", []plan.Goal{goal("delete", "folder", "/a"), goal("create", "file", "/a")}, []string{"exists:/a", "is_folder:/a"}, ""},
		{"another path", []plan.Goal{goal("delete", "file", "/a")}, []string{"is_folder:/b", "exists:/a"}, ""},
		{"the kind that is said", []plan.Goal{goal("delete", "folder", "/a")}, []string{"exists:/a", "has_items:/a"}, ""},
		{"nothing is there", []plan.Goal{goal("delete", "folder", "/a")}, []string{"!exists:/a"}, ""},
		{"not about files", []plan.Goal{{GoalType: plan.BrowserNavigate, Target: "/a", ObjectType: "file"}}, []string{"is_folder:/a"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if fault := checkKinds(tt.goals, plan.World{RecentFacts: tt.facts}); fault != nil {
				got = i18n.English().Text(fault.Message) + " " + i18n.English().Text(fault.Hint)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestNearOf offers things whose names are near to a missing one, those of its kind first.
func TestNearOf(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Report 2025/", "My Photos/", "todo.txt", "report-final.docx", "budget.xlsx", "Бюджет 2026/", "ab/"} {
		path := filepath.Join(dir, name)
		var err error
		if strings.HasSuffix(name, "/") {
			err = os.Mkdir(path, 0o700)
		} else {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		kind, name string
		want       []string
	}{
		{"folder", "Reports", []string{"Report 2025", "report-final.docx"}},
		{"", "Reports", []string{"report-final.docx", "Report 2025/"}},
		{"file", "report.docx", []string{"report-final.docx", "Report 2025/"}},
		{"folder", "report", []string{"Report 2025", "report-final.docx"}},
		{"folder", "photos", []string{"My Photos"}},
		{"file", "tood.txt", []string{"todo.txt"}},
		{"folder", "бюджеты", []string{"Бюджет 2026"}},
		{"file", "budget", []string{"budget.xlsx"}},
		{"file", "x", nil},
		{"folder", "about", nil},
		{"file", "invoice.pdf", nil},
	} {
		var got []string
		for _, m := range nearOf(tt.kind, []string{filepath.Join(dir, tt.name)}) {
			got = append(got, strings.TrimPrefix(i18n.English().Text(m), dir+"/"))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %s: %q, want %q", tt.kind, tt.name, got, tt.want)
		}
	}
}
