package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"runtime/debug"

	"errand/app/desktop"
	"errand/app/desktop/view"
	"errand/host/tool"
	"errand/planner/message"
)

// method is an API method that can be called with JSON arguments.
type method struct {
	call   reflect.Value
	params []reflect.Type
}

// methodsOf returns the exported methods of the API by name.
func methodsOf(api *desktop.API) map[string]method {
	out := map[string]method{}
	v := reflect.ValueOf(api)
	for m := range v.Type().Methods() {
		bound := v.MethodByName(m.Name)
		made := method{call: bound}
		for in := range bound.Type().Ins() {
			made.params = append(made.params, in)
		}
		out[m.Name] = made
	}
	return out
}

// call handles POST /api/<Method>.
func (s *Server) call(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("method")
	m, ok := s.methods[name]
	if !ok {
		s.refuse(w, http.StatusNotFound, "no_method", message.New("web.no_method", "name", name))
		return
	}
	var raw []json.RawMessage
	if !s.readJSON(w, r, &raw) {
		return
	}
	args, err := m.arguments(raw)
	if err != nil {
		s.refuse(w, http.StatusBadRequest, "bad_arguments", message.New("web.bad_arguments", "method", name, "cause", err))
		return
	}
	result, err := s.invoke(name, m, args)
	if err != nil {
		answer(w, statusOf(err), map[string]any{"error": s.life.Format(err)})
		return
	}
	answer(w, http.StatusOK, map[string]any{"result": result})
}

func (m method) arguments(raw []json.RawMessage) ([]reflect.Value, error) {
	if len(raw) != len(m.params) {
		return nil, message.Error("web.wrong_arguments", "want", len(m.params), "have", len(raw))
	}
	args := make([]reflect.Value, len(raw))
	for i, b := range raw {
		v := reflect.New(m.params[i])
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		if err := d.Decode(v.Interface()); err != nil {
			return nil, err
		}
		args[i] = v.Elem()
	}
	return args, nil
}

// invoke calls a method. It turns a panic into an error, so that the server continues.
func (s *Server) invoke(name string, m method, args []reflect.Value) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "method", name, "panic", p, "stack", string(debug.Stack()))
			err = tool.NewError(tool.ExecutionError, "panic", message.New("web.panic", "method", name))
		}
	}()
	out := m.call.Call(args)
	if e, ok := out[len(out)-1].Interface().(error); ok && e != nil {
		return nil, e
	}
	if len(out) == 1 {
		return nil, nil
	}
	return out[0].Interface(), nil
}

// statusOf returns the HTTP status for an error. Only errors of the program itself are
// 500.
func statusOf(err error) int {
	switch tool.Class(view.FailureOf(err).Class) {
	case tool.ValidationError, tool.PolicyDenied:
		return http.StatusConflict
	case tool.ToolUnavailable:
		return http.StatusServiceUnavailable
	case tool.ToolTimeout:
		return http.StatusGatewayTimeout
	}
	return http.StatusInternalServerError
}

// readJSON decodes the request body, or responds with an error. It requires
// application/json, which a form of another site can't send without a CORS preflight.
func (s *Server) readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		s.refuse(w, http.StatusUnsupportedMediaType, "no_json", message.New("web.not_json"))
		return false
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		s.refuse(w, http.StatusRequestEntityTooLarge, "too_large", message.New("web.too_large", "limit", maxBody))
		return false
	case err == nil:
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		s.refuse(w, http.StatusBadRequest, "bad_json", message.New("web.bad_json", "cause", err))
		return false
	}
	return true
}

// answer responds with a JSON document.
func answer(w http.ResponseWriter, status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":{"class":"execution_error","code":"bad_answer","message":"cannot encode the answer as JSON","hint":"","retriable":false}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b)
}
