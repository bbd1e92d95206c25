package interpret

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/planner/plan"
)

// free is a fitting answer in a person's own words, by the kind of question.
var free = map[string]string{
	"form": "as a pdf", "download": "report.pdf", "count": "7", "rows": "read example.com",
	"query": "nvidia and amd", "target": "youtube", "unknown": "gmail", "name": "Reports", "delete": "old.txt", "bulk": "old.txt",
	"type": "a folder", "zip": "a.txt", "choice": "wikipedia", "referent": "open youtube", "verb": "search for cats", "typo": "create x.txt",
	"conflict": "open gmail", "place": "in my pictures", "partial": "open gmail", "bare": "open gmail", "empty": "open gmail", "trash": "open gmail", "literal": "open gmail", "local": "find report.pdf in downloads", "media": "on spotify", "destination": "my pictures", "rename": "plan", "folder": "downloads", "web": "search for otters", "site": "youtube",
}

// TestEveryQuestionTakesItsAnswers asks what every ambiguous text of the test
// data asks, and answers each question with each of its choices and in free
// text, and what that leads to likewise: in the end a text is understood or
// can't be done, and no valid answer leads to a question that was asked before.
func TestEveryQuestionTakesItsAnswers(t *testing.T) {
	in := newInterpreter(t)
	kinds, led := map[string]int{}, map[Status]int{}
	for _, text := range ambiguous(t, in) {
		walk(t, in, text, nil, nil, kinds, led)
	}
	for kind := range free {
		if kinds[kind] == 0 {
			t.Errorf("no text asks a question of kind %q", kind)
		}
	}
	for kind := range kinds {
		if free[kind] == "" {
			t.Errorf("questions of kind %q are answered by no test", kind)
		}
	}
	if led[OK] < 10*led[Unsupported] {
		t.Errorf("answers lead to %d texts that are understood and %d that can't be done", led[OK], led[Unsupported])
	}
}

func ambiguous(tb testing.TB, in *Interpreter) []string {
	tb.Helper()
	var out []string
	add := func(text string) {
		if in.Read(text).Status == Ambiguous {
			out = append(out, text)
		}
	}
	for _, u := range utterances(tb, "testdata/utterances.jsonl") {
		add(u.Text)
	}
	for _, name := range corpora {
		for _, u := range shortUtterances(tb, "testdata/"+name+".txt") {
			add(u.text)
		}
	}
	for _, text := range []string{
		"inside it create a folder b", "create a folder and a file", "search and delete", "delete the file and open it and search for it",
		"create Reports and delete Notes and open youtube or gmail", "create a.txt and delete a.txt and create a.txt",
	} {
		add(text)
	}
	return out
}

// walk answers what a text asks, and goes on with what that leads to. before
// are the questions on the way there.
func walk(t *testing.T, in *Interpreter, text string, answers map[string]string, before []plan.Question, kinds map[string]int, led map[Status]int) {
	t.Helper()
	r := in.ReadWith(text, answers)
	said := in.Read(text)
	if r.Text != text || r.Language != said.Language {
		t.Errorf("%q with %q: the words are now %q in %q, the plan_id is another", text, answers, r.Text, r.Language)
	}
	for _, e := range r.Evidence {
		if e.Start < 0 || e.Start >= e.End || e.End > len(text) || text[e.Start:e.End] != e.Words {
			t.Errorf("%q with %q: evidence %+v is not in the words", text, answers, e)
		}
	}
	if r.Status != Ambiguous {
		led[r.Status]++
		if r.Status == Unsupported && r.Reason.IsZero() {
			t.Errorf("%q with %q can't be done for no reason", text, answers)
		}
		return
	}
	q := r.Questions[0]
	if said := i18n.ForTag(r.Language).Text(q.Question); said == "" || strings.Contains(said, "question.") || strings.Contains(said, "|quote") {
		t.Errorf("%q with %q asks %q", text, answers, said)
	}
	for _, old := range before {
		if cmp.Equal(old, q) || old.ID == q.ID {
			t.Errorf("%q with %q asks again: %+v", text, answers, q)
			return
		}
	}
	if len(before) > 5 {
		t.Errorf("%q with %q still asks %+v", text, answers, q)
		return
	}
	kind, _, _ := strings.Cut(q.ID, "_")
	kinds[kind]++
	values := []string{}
	for _, c := range q.Choices {
		if label := i18n.ForTag(r.Language).Text(c.Label); label == "" || strings.Contains(label, "question.") {
			t.Errorf("%q: choice %+v", text, c)
		}
		values = append(values, c.Value)
	}
	if q.FreeTextAllowed {
		values = append(values, free[kind])
	}
	for _, value := range values {
		with := maps.Clone(answers)
		if with == nil {
			with = map[string]string{}
		}
		with[q.ID] = value
		walk(t, in, text, with, append(before[:len(before):len(before)], q), kinds, led)
	}
}

func TestReadWith(t *testing.T) {
	in := newInterpreter(t)
	tests := []struct {
		text    string
		answers map[string]string
		want    string
	}{
		{"search youtube for", map[string]string{"query": "cats and dogs on bing"}, "s:youtube:cats and dogs on bing"},
		{"search youtube for it and open gmail", map[string]string{"query": "delete all files"}, "s:youtube:delete all files + n:https://mail.google.com/"},
		{"search", map[string]string{"query": `say "hi"`}, `s:google:say "hi"`},
		{"search cats on youtube or google", map[string]string{"choice": "google"}, "s:google:cats"},
		{"create folder Z in google drive", map[string]string{"place": "~/Desktop/"}, "c:folder:~/Desktop/Z"},
		{"create folder Z in google drive", map[string]string{"place": "in my music folder"}, "c:folder:~/Music/Z"},
		{"create folder Z in google drive", map[string]string{"place": "here"}, "c:folder:./Z"},
		{"create folder Z in google drive", map[string]string{"place": "the projects folder"}, "c:folder:projects/Z"},
		{"create folder Z in google drive", map[string]string{"place": "/tmp/x"}, "c:folder:/tmp/x/Z"},
		{"create folder Z in google drive", map[string]string{"place": "on the NAS"}, "-"},
		{"create folders A and B in google drive", map[string]string{"place": "documents"}, "c:folder:~/Documents/A + c:folder:~/Documents/B"},
		{"in google drive create folder Z", map[string]string{"place": "~/Documents/"}, "c:folder:~/Documents/Z"},
		{"create folder Z in projects", map[string]string{"place": "projects"}, "c:folder:projects/Z"},
		{"create folder Lost in Translation", map[string]string{"place": "part_of_name"}, "c:folder:Lost in Translation"},
		{"создай папку Z на флешке", map[string]string{"place": "в загрузках"}, "c:folder:~/Downloads/Z"},
		{"take a screenshot of github.com and save it to google drive", map[string]string{"place": "in documents"}, "shot:https://github.com/ > ~/Documents/"},
		{"save a screenshot of github.com to google drive", map[string]string{"place": "in documents"}, "shot:https://github.com/ > ~/Documents/"},
		{"open", map[string]string{"target": "example.com"}, "n:https://example.com/"},
		{"open", map[string]string{"target": "create folder Reports"}, "c:folder:Reports"},
		{"open it and search for cats", map[string]string{"target": "wikipedia"}, "s:wikipedia:cats"},
		{"open flibbertigibbet", map[string]string{"unknown": "blorp"}, "unknown_2"},
		{"open flibbertigibbet", map[string]string{"unknown": "blorp", "unknown_2": "gmail"}, "n:https://mail.google.com/"},
		{"open flibbertigibbet", map[string]string{"unknown": "flibbertigibbet"}, "-"},
		{"open flibbertigibbet", map[string]string{"unknown": "flibbertigibbet.com"}, "n:https://flibbertigibbet.com/"},
		{"open flibbertigibbet", map[string]string{"unknown": `search the web for "flibbertigibbet"`}, "s:google:flibbertigibbet"},
		{"открой шторы", map[string]string{"unknown": "найди в интернете «шторы»"}, "s:google:шторы"},
		{"find cats and tell me the price", map[string]string{"partial": "leave_out"}, "s:google:cats"},
		{"find cats and tell me the price", map[string]string{"partial": "keep"}, "s:google:cats and tell me the price"},
		{"delete all pdfs", map[string]string{"folder": "~/Downloads/"}, "d:files:~/Downloads/ = .pdf"},
		{"delete pdfs about taxes", map[string]string{"folder": "in the folder old"}, "d:files:old/#taxes = .pdf"},
		{"move all photos to documents/2026", map[string]string{"folder": "my desktop"}, "move:files:~/Desktop/ > ~/Documents/2026/ = .bmp,.gif,.heic,.jpeg,.jpg,.png,.svg,.tiff,.webp"},
		{"move all pdfs to documents", map[string]string{"folder": "on the NAS"}, "-"},
		{"удали все pdf", map[string]string{"folder": "загрузки"}, "d:files:~/Downloads/ = .pdf"},
		{"rename notes.txt in documents", map[string]string{"rename": "ideas"}, "rename:file:~/Documents/notes.txt > ideas.txt"},
		{"rename notes.txt", map[string]string{"rename": "todo list.md"}, "rename:file:notes.txt > todo list.md"},
		{"rename notes.txt", map[string]string{"rename": "/tmp/x"}, "-"},
		{"переименуй папку Учёба", map[string]string{"rename": "Архив учёбы"}, "rename:folder:Учёба > Архив учёбы"},
		{"find contact john", map[string]string{"web": "yes"}, "s:google:contact john"},
		{"find contact john", map[string]string{"web": "no"}, "-"},
		{"open example.com and search for cats", map[string]string{"site": "words"}, "n:https://example.com/ + s:google:cats"},
		{"open", map[string]string{"target": "it"}, "referent"},
		{"create", map[string]string{"name": "Reports"}, "type"},
		{"create", map[string]string{"name": "Reports", "type": "folder"}, "c:folder:Reports"},
		{"create", map[string]string{"name": "notes.txt"}, "c:file:notes.txt"},
		{"create a folder", map[string]string{"name": "Reports in documents"}, "c:folder:~/Documents/Reports"},
		{"create a folder on the desktop", map[string]string{"name": "this and that"}, "c:folder:~/Desktop/this and that"},
		{"создай папку", map[string]string{"name": "Отчёты"}, "c:folder:Отчёты"},
		{"create a pdf file", map[string]string{"name": "Reports"}, "c:file:Reports.pdf"},
		{"delete everything on my desktop", map[string]string{"bulk": "old.txt"}, "d:file:~/Desktop/old.txt"},
		{"delete everything", map[string]string{"bulk": "all of it"}, "-"},
		{"delete it", map[string]string{"delete": "everything"}, "bulk"},
		{"delete report", map[string]string{"type": "file"}, "d:file:report"},
		{"удали отчёт", map[string]string{"type": "папка"}, "d:folder:отчёт"},
		{"delete folder temp except the logs", map[string]string{"partial": "temp"}, "d:folder:temp"},
		{"delete folder temp except the logs", map[string]string{"partial": "leave_out"}, "-"},
		{"open gmail and frobnicate", map[string]string{"partial": "leave_out"}, "n:https://mail.google.com/"},
		{"open gmail and frobnicate", map[string]string{"partial": "what time is it"}, "n:https://mail.google.com/ + q:time"},
		{"delte notes.txt", map[string]string{"typo": "yes"}, "d:file:notes.txt"},
		{"delte notes.txt", map[string]string{"typo": "no"}, "-"},
		{"create a.txt and delete a.txt", map[string]string{"conflict": "delete"}, "d:file:a.txt"},
		{"open youtube, open gmail, don't open youtube", map[string]string{"conflict": "dont"}, "n:https://mail.google.com/"},
		{"youtube music", map[string]string{"verb": "open"}, "n:https://music.youtube.com/"},
		{"youtube music", map[string]string{"verb": "search", "query": "cats"}, "s:youtube_music:cats"},
		{"гугл карты", map[string]string{"verb": "найди берлин"}, "s:google_maps:берлин"},
		{"nvidia stock", map[string]string{"bare": `search the web for "nvidia stock"`}, "s:google:nvidia stock"},
		{"find files with cat", map[string]string{"local": `find files named "cat"`}, "find:file:~/#cat"},
		{"найди заметки со словом отчёт", map[string]string{"local": "найди файлы с именем «отчёт»"}, "find:file:~/#отчёт"},
		{"find my passwords", map[string]string{"local": `search the web for "my passwords"`}, "s:google:my passwords"},
		{"show me the news in downloads", map[string]string{"local": "list the files in ~/Downloads/"}, "list:folder:~/Downloads/"},
		{"покажи новости в загрузках", map[string]string{"local": "покажи файлы в ~/Downloads/"}, "list:folder:~/Downloads/"},
		{"nvidia", map[string]string{"bare": "nvidia.com"}, "n:https://nvidia.com/"},
		{"nvidia", map[string]string{"bare": "nvidia"}, "-"},
		{"nvidia", map[string]string{"bare": "youtube"}, "n:https://youtube.com/"},
		{"смешные котики", map[string]string{"bare": "найди в интернете «смешные котики»"}, "s:google:смешные котики"},
		{"do it again", map[string]string{"referent": "open youtube"}, "n:https://youtube.com/"},
		{"inside it create a folder b", map[string]string{"referent": "~/work"}, "c:folder:~/work/b"},
		{"open youtube", map[string]string{"target": "gmail", "g1": "x"}, "n:https://youtube.com/"}, // nothing was asked
		{"search", map[string]string{"query": " "}, "query"},
		{"search", map[string]string{"query": "\xff"}, "query"},
		{"search", map[string]string{"query": strings.Repeat("x", MaxBytes)}, "-"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.text, tt.answers), func(t *testing.T) {
			r := in.ReadWith(tt.text, tt.answers)
			got := short(r, finish(in, r))
			if r.Status == Ambiguous {
				got = r.Questions[0].ID
			}
			if got != tt.want {
				t.Errorf("%s (%s), want %s", got, r.Reason, tt.want)
			}
		})
	}
}

// TestAnsweredEvidence: evidence points into the words that were said. What an
// answer alone caused has none.
func TestAnsweredEvidence(t *testing.T) {
	in := newInterpreter(t)
	for _, tt := range []struct {
		text, id, value string
		want            []string
	}{
		{"search youtube for", "query", "nvidia", []string{"goal_type search", "platform youtube"}},
		{"search cats on youtube or google", "choice", "google", []string{"goal_type search", "platform youtube or google", "query cats"}},
		{"please search for it on bing and open gmail", "query", "tea", []string{"goal_type search for", "platform bing", "query it", "goal_type open", "target gmail"}},
	} {
		r := in.ReadWith(tt.text, map[string]string{tt.id: tt.value})
		got := []string{}
		for _, e := range r.Evidence {
			got = append(got, e.Slot+" "+tt.text[e.Start:e.End])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || r.Status != OK {
			t.Errorf("%q: %s (-want +got):\n%s", tt.text, r.Status, diff)
		}
	}
}

// FuzzReadWith: whatever is answered, reading is total, ends, keeps the words,
// and never deletes for an answer to what was no question of deleting.
func FuzzReadWith(f *testing.F) {
	in := newInterpreter(f)
	for kind, value := range free {
		for _, text := range []string{"search", "open", "create", "delete it", "youtube music", "open gmail and frobnicate", "create a.txt and delete a.txt"} {
			f.Add(text, kind, value)
		}
	}
	f.Fuzz(func(t *testing.T, text, id, value string) {
		answers := map[string]string{id: value}
		r := in.ReadWith(text, answers)
		if q := in.Read(text).Questions; len(q) > 0 && q[0].ID != id {
			for range 3 { // answer what is asked, and what that leads to
				if r.Status != Ambiguous {
					break
				}
				answers[r.Questions[0].ID] = value
				r = in.ReadWith(text, answers)
			}
		}
		if r.Status == Ambiguous && (len(r.Questions) != 1 || answers[r.Questions[0].ID] != "" && strings.TrimSpace(value) != "" && strings.ToValidUTF8(value, "") == value) {
			t.Fatalf("%q with %q asks %+v", text, answers, r.Questions)
		}
		for _, e := range r.Evidence {
			if e.Start >= e.End || e.End > len(r.Text) || r.Text[e.Start:e.End] != e.Words {
				t.Fatalf("%q with %q: evidence %+v", text, answers, e)
			}
		}
	})
}
