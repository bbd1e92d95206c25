// Package telegramtest is a stand-in for the Bot API of Telegram, for tests. It keeps updates until they
// are confirmed, refuses a second poll, and has failures.
package telegramtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Token is the token of the bot, and BotID its id.
const (
	Token = "4242:AAsecret-token_of-the-bot"
	BotID = 4242
)

// Server is the stand-in. Its methods may be called by several goroutines at once.
type Server struct {
	http *httptest.Server

	mu       sync.Mutex
	nextID   int64
	updates  []update // that were not confirmed
	arrived  chan struct{}
	ended    chan struct{}
	messages []*Message
	answers  []Answer
	files    map[string][]byte
	sent     []File
	failures map[string][]Failure
	calls    map[string]int
}

type update struct {
	id   int64
	body map[string]any
}

// Message is a message of the bot or of a user, as it is now.
type Message struct {
	Chat    int64
	ID      int
	FromBot bool
	Text    string // HTML of the bot
	Buttons []Button
	Edits   int
	Deleted bool
}

// Button is a button of a message.
type Button struct{ Text, Data string }

// File is a file that the bot sent.
type File struct {
	Chat          int64
	Name, Caption string
	Data          []byte
}

// Answer is what the bot answered to a press.
type Answer struct{ ID, Text string }

// Failure is what becomes of a request in place of its answer.
type Failure struct {
	Status     int // of an error; 0: the connection ends without an answer
	RetryAfter int // seconds, with status 429
	Text       string
	AfterDoing bool // the request is done, and its answer is lost
	// Until holds up the request until it is closed. Nil: it does not.
	Until <-chan struct{}
}

// Start starts a stand-in, which ends with the test.
func Start(t testing.TB) *Server {
	s := &Server{nextID: 700, arrived: make(chan struct{}), files: map[string][]byte{}, failures: map[string][]Failure{}, calls: map[string]int{}}
	s.http = httptest.NewServer(s)
	t.Cleanup(func() {
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

// URL is the address of the stand-in.
func (s *Server) URL() string { return s.http.URL }

// Fail has the next requests of a method fail, one for each failure.
func (s *Server) Fail(method string, failures ...Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures[method] = append(s.failures[method], failures...)
}

// Calls returns how many requests of a method came.
func (s *Server) Calls(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[method]
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path, ok := strings.CutPrefix(r.URL.Path, "/file/bot"+Token+"/"); ok {
		s.mu.Lock()
		data, found := s.files[path]
		s.mu.Unlock()
		if !found {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
		return
	}
	method, ok := strings.CutPrefix(r.URL.Path, "/bot"+Token+"/")
	if !ok {
		refuse(w, Failure{Status: http.StatusUnauthorized, Text: "Unauthorized"})
		return
	}
	p, err := readParams(r)
	if err != nil {
		refuse(w, Failure{Status: http.StatusBadRequest, Text: err.Error()})
		return
	}
	s.mu.Lock()
	s.calls[method]++
	var failure *Failure
	if list := s.failures[method]; len(list) > 0 {
		failure, s.failures[method] = &list[0], list[1:]
	}
	s.mu.Unlock()
	if failure != nil && failure.Until != nil {
		select {
		case <-failure.Until:
		case <-r.Context().Done():
			return
		}
	}
	if failure != nil && !failure.AfterDoing {
		refuse(w, *failure)
		return
	}
	result, failed := s.do(r, method, p)
	switch {
	case failure != nil:
		refuse(w, *failure)
	case failed != nil:
		refuse(w, *failed)
	default:
		_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": result})
	}
}

// refuse answers with an error, or ends the connection.
func refuse(w http.ResponseWriter, f Failure) {
	if f.Status == 0 {
		panic(http.ErrAbortHandler)
	}
	body := map[string]any{"ok": false, "error_code": f.Status, "description": f.Text}
	if f.RetryAfter > 0 {
		body["parameters"] = map[string]any{"retry_after": f.RetryAfter}
	}
	w.WriteHeader(f.Status)
	_ = json.NewEncoder(w).Encode(body)
}

// params are those of a request.
type params struct {
	values map[string]string
	file   *File
}

func (p params) number(name string) int64 {
	n, _ := strconv.ParseInt(p.values[name], 10, 64)
	return n
}

func readParams(r *http.Request) (params, error) {
	p := params{values: map[string]string{}}
	if r.Header.Get("Content-Type") == "application/json" {
		var raw map[string]json.RawMessage
		err := json.NewDecoder(r.Body).Decode(&raw)
		for name, v := range raw {
			p.values[name] = string(v)
		}
		return p, err
	}
	form, err := r.MultipartReader()
	if err != nil { // a request without parameters
		return p, nil
	}
	for {
		part, err := form.NextPart()
		if err != nil { // the end; the library ends an empty form without its mark
			return p, nil
		}
		b, err := io.ReadAll(part)
		if err != nil {
			return p, err
		}
		if part.FileName() != "" {
			p.file = &File{Name: part.FileName(), Data: b}
			continue
		}
		p.values[part.FormName()] = string(b)
	}
}

func (s *Server) do(r *http.Request, method string, p params) (any, *Failure) {
	switch method {
	case "getMe":
		return map[string]any{"id": BotID, "is_bot": true, "first_name": "Errand", "username": "errand_test_bot"}, nil
	case "getUpdates":
		return s.poll(r, p)
	case "sendMessage":
		return s.send(p)
	case "editMessageText":
		return s.edit(p)
	case "answerCallbackQuery":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.answers = append(s.answers, Answer{p.values["callback_query_id"], p.values["text"]})
		return true, nil
	case "sendDocument":
		s.mu.Lock()
		defer s.mu.Unlock()
		if p.file == nil {
			return nil, &Failure{Status: 400, Text: "Bad Request: no file"}
		}
		p.file.Chat, p.file.Caption = p.number("chat_id"), p.values["caption"]
		s.sent = append(s.sent, *p.file)
		return map[string]any{"message_id": len(s.messages) + len(s.sent) + 5000}, nil
	case "getFile":
		s.mu.Lock()
		defer s.mu.Unlock()
		path := "voice/" + p.values["file_id"]
		data, found := s.files[path]
		if !found {
			return nil, &Failure{Status: 400, Text: "Bad Request: invalid file_id"}
		}
		return map[string]any{"file_id": p.values["file_id"], "file_path": path, "file_size": len(data)}, nil
	}
	return nil, &Failure{Status: 404, Text: "Not Found: method not found"}
}

// poll answers with the updates from the offset on, and ends an earlier poll that waits.
func (s *Server) poll(r *http.Request, p params) (any, *Failure) {
	s.mu.Lock()
	if s.ended != nil {
		close(s.ended)
	}
	ended := make(chan struct{})
	s.ended = ended
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.ended == ended {
			s.ended = nil
		}
	}()
	end := time.After(time.Duration(p.number("timeout")) * time.Second)
	for {
		s.mu.Lock()
		if offset := p.number("offset"); offset > 0 {
			s.updates = slices.DeleteFunc(s.updates, func(u update) bool { return u.id < offset })
		}
		out := []map[string]any{}
		for _, u := range s.updates {
			out = append(out, u.body)
		}
		arrived := s.arrived
		s.mu.Unlock()
		if len(out) > 0 {
			return out, nil
		}
		select {
		case <-ended:
			return nil, &Failure{Status: 409, Text: "Conflict: terminated by other getUpdates request"}
		case <-r.Context().Done():
			return out, nil
		case <-end:
			return out, nil
		case <-arrived:
		}
	}
}

// Restore removes all failures that did not happen yet.
func (s *Server) Restore() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = map[string][]Failure{}
}
