package manifest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"errand/host/tool/jsonstrict"
	"errand/planner/message"
)

// Case is an example of a call and also its test.
type Case struct {
	Name    string         `toml:"name" json:"name,omitempty"`
	Args    map[string]any `toml:"args" json:"args"`                 // a text in it may say {{root}}, the folder of Files
	Payload any            `toml:"payload" json:"payload,omitempty"` // what it answers, which may say {{root}} as well, or
	Error   string         `toml:"error" json:"error,omitempty"`     // the code it fails with

	Config map[string]any    `toml:"config" json:"config,omitempty"` // values that the user set, of the manifest's types
	Now    string            `toml:"now" json:"now,omitempty"`       // RFC 3339: what the clocks say; "" for the time that it is
	Files  map[string]string `toml:"files" json:"files,omitempty"`   // what is in the first granted folder before the call, by relative path
	Binary map[string]string `toml:"binary" json:"binary,omitempty"` // binary files, in base64
	HTTP   []Exchange        `toml:"http" json:"http,omitempty"`     // the requests that it makes, all of them, and their answers
}

// Exchange is a recorded HTTP request and its response. The method and the URL
// identify a request; equal requests are answered in their order in the manifest.
type Exchange struct {
	Method  string            `toml:"method" json:"method,omitempty"` // GET where nothing is said
	URL     string            `toml:"url" json:"url"`
	Status  int               `toml:"status" json:"status,omitempty"` // 200 where nothing is said
	Headers map[string]string `toml:"headers" json:"headers,omitempty"`
	Body    string            `toml:"body" json:"body,omitempty"`
}

// Root is the placeholder for the first granted folder in a case's arguments and
// payload.
const Root = "{{root}}"

// Title identifies a case: its name, or its number within the tool, from 1.
func (c Case) Title(number int) string {
	if c.Name != "" {
		return c.Name
	}
	return fmt.Sprintf("case %d", number)
}

// problem adds the case to what is wrong with it.
func (c Case) problem(number int, m message.Message) message.Message {
	if c.Name != "" {
		return message.New("manifest.in_case", "case", c.Name, "fault", m)
	}
	return message.New("manifest.in_numbered_case", "number", number, "fault", m)
}

// Time returns the clock of the case, or zero if it has none.
func (c Case) Time() (time.Time, error) {
	if c.Now == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, c.Now)
}

// Content returns the files of the first granted folder before the call.
func (c Case) Content() (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, text := range c.Files {
		files[name] = []byte(text)
	}
	for name, text := range c.Binary {
		content, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil {
			return nil, message.Error("manifest.bad_file_content", "name", name, "cause", err)
		}
		files[name] = content
	}
	return files, nil
}

// exactNumbers refuses integers in arguments that a call can't represent.
func exactNumbers(args map[string]any) error {
	b, err := json.Marshal(args)
	if err != nil {
		return nil // not a JSON value; running the case reports it
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	_, err = jsonstrict.RequireExactNumbers(v)
	return err
}

// checkCases checks a tool's cases.
func (m *Manifest) checkCases(f *problems, key string, at toolPlace, t Tool) {
	for n, c := range t.Cases {
		key := fmt.Sprintf("%s.case[%d]", key, n)
		bad := func(ok bool, below string, m message.Message) {
			f.require(ok, key+below, at.problem(c.problem(n+1, m)))
		}
		bad((c.Payload == nil) != (c.Error == ""), "", message.New("manifest.case_result"))
		for _, name := range slices.Sorted(maps.Keys(c.Config)) {
			setting, known := m.Config[name]
			bad(known, ".config", message.New("manifest.case_config_unknown", "key", name))
			bad(!known || setting.HasType(c.Config[name]), ".config", message.New("manifest.case_config_kind", "key", name, "type", setting.Type))
		}
		err := exactNumbers(c.Args)
		bad(err == nil, ".args", message.New("manifest.bad_case_args", "cause", err))
		_, err = c.Time()
		bad(err == nil, ".now", message.New("manifest.case_now", "now", c.Now))
		for key, files := range map[string]map[string]string{"files": c.Files, "binary": c.Binary} {
			bad(len(files) == 0 || len(m.Paths) > 0, "."+key, message.New("manifest.case_files_without_paths", "key", key))
			for _, name := range slices.Sorted(maps.Keys(files)) {
				bad(fs.ValidPath(name) && name != "." && !strings.Contains(name, `\`), "."+key,
					message.New("manifest.case_file_path", "key", key, "name", name))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(c.Binary)) {
			_, twice := c.Files[name]
			bad(!twice, ".binary", message.New("manifest.case_file_twice", "name", name))
		}
		_, err = c.Content()
		bad(err == nil, ".binary", message.New("manifest.bad_case_binary", "cause", err))
		bad(len(c.HTTP) == 0 || m.ABI != WASI, ".http", message.New("manifest.case_http_of_command"))
		for i, x := range c.HTTP {
			at := fmt.Sprintf(".http[%d]", i)
			u, err := url.Parse(x.URL)
			bad(err == nil && u.Host != "", at, message.New("manifest.case_http_url", "url", x.URL))
			bad(x.Status == 0 || x.Status >= 100 && x.Status <= 599, at, message.New("manifest.case_http_status", "status", x.Status))
			bad(x.Method == strings.ToUpper(x.Method), at, message.New("manifest.case_http_method", "method", x.Method))
		}
	}
}
