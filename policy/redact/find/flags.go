package find

import "strings"

// passFlag reads -p of such a program, joined or not.
func (s *scanner) passFlag(pos int) {
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
	// MySQL's programs ask for a password where -p stands alone; most others
	// take it as the next word; sshpass takes both.
	onlyJoined := strings.HasPrefix(program, "mysql") || program == "mariadb" || program == "7z"
	if joined != onlyJoined && program != "sshpass" {
		return
	}
	if !joined {
		from++
	}
	v := s.value(separator{end: from, kind: ' '})
	text := s.Text[v.start:v.end]
	if text == "" || text[0] == '-' || placeholder(text) || CommonValue(text) || strings.HasPrefix(text, "assword") || strings.HasPrefix(text, "ort") {
		return // -password and -port are other options
	}
	s.add("password", v.start, v.end)
}

// authFlag reads -a, which is a password to redis-cli and user:password to
// HTTPie.
func (s *scanner) authFlag(pos int) {
	if !strings.Contains(strings.ToLower(s.line(pos, 300)), "redis-cli") {
		s.userFlag(pos)
		return
	}
	v := s.value(separator{end: pos + len(" -a "), kind: ' '})
	s.secretValue("password", v.start, v.end)
}

// userFlag reads user:password behind -u or --user.
func (s *scanner) userFlag(pos int) {
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
	v := s.value(separator{end: i, kind: ' '})
	user, password, ok := strings.Cut(s.Text[v.start:v.end], ":")
	if ok && user != "" && !placeholder(password) {
		s.add("password", v.start+len(user)+1, v.end)
	}
}
