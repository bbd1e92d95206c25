package find

import "strings"

// readPassFlag reads -p of such a program, joined or not.
func (s *scanner) readPassFlag(pos int) {
	line := strings.ToLower(s.line(pos, 300))
	program := ""
	for _, p := range terms().PasswordPrograms {
		if strings.Contains(line, p) {
			program = p
			break
		}
	}
	from := pos + len(" -p")
	if program == "" || from >= len(s.Text) {
		return
	}
	joined := s.Text[from] != ' '
	// MySQL's programs ask for a password at a lone -p; most others
	// take it as the next word; sshpass takes both.
	onlyJoined := strings.HasPrefix(program, "mysql") || program == "mariadb" || program == "7z"
	if joined != onlyJoined && program != "sshpass" {
		return
	}
	if !joined {
		from++
	}
	v := s.readValue(separator{end: from, kind: ' '})
	text := s.Text[v.start:v.end]
	if text == "" || text[0] == '-' || isPlaceholder(text) || IsCommonValue(text) || strings.HasPrefix(text, "assword") || strings.HasPrefix(text, "ort") {
		return // -password and -port are other options
	}
	s.add("password", v.start, v.end)
}

// readAuthFlag reads -a, which is a password to redis-cli and user:password to
// HTTPie.
func (s *scanner) readAuthFlag(pos int) {
	if !strings.Contains(strings.ToLower(s.line(pos, 300)), "redis-cli") {
		s.readUserFlag(pos)
		return
	}
	v := s.readValue(separator{end: pos + len(" -a "), kind: ' '})
	s.addValue("password", v.start, v.end)
}

// readUserFlag reads user:password behind -u or --user.
func (s *scanner) readUserFlag(pos int) {
	line := strings.ToLower(s.line(pos+1, 300))
	known := false
	for _, p := range terms().UserPrograms {
		known = known || strings.Contains(line, p)
	}
	if !known {
		return
	}
	i := pos
	for i < len(s.Text) && s.Text[i] == ' ' {
		i++
	}
	for i < len(s.Text) && strings.IndexByte(" ='\"", s.Text[i]) < 0 {
		i++
	}
	if i < len(s.Text) && (s.Text[i] == ' ' || s.Text[i] == '=') {
		i++
	}
	v := s.readValue(separator{end: i, kind: ' '})
	user, password, ok := strings.Cut(s.Text[v.start:v.end], ":")
	if ok && user != "" && !isPlaceholder(password) {
		s.add("password", v.start+len(user)+1, v.end)
	}
}
