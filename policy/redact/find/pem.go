package find

import "strings"

// MaxPEM is how far a block's end is looked for; a 16384-bit RSA key has 13 KB.
const MaxPEM = 64 << 10

// pemBegin reads from the BEGIN line of a private key (RFC 7468, and SSH2's
// four dashes) to its END, or, where the block was cut, over all lines that
// can belong to one. Lines may be ended by the two characters \n.
func (s *scanner) pemBegin(pos int) {
	start := s.dashesBefore(pos)
	if start < 0 {
		return
	}
	head := s.rest(pos, 80)
	dashes := strings.Index(head, "----")
	if dashes < 0 || !privateLabel(head[:dashes]) {
		return
	}
	from := pos + dashes
	for from < len(s.Text) && s.Text[from] == '-' {
		from++
	}
	if end := s.pemBody(from); end > from {
		s.add("private-key", start, end)
	}
}

func (s *scanner) pemBody(from int) int {
	window := s.Text[from:min(len(s.Text), from+MaxPEM)]
	if next := strings.Index(window, "BEGIN "); next >= 0 {
		window = window[:next]
	}
	end := strings.Index(window, "END ")
	if end < 0 {
		s.saw(from + len(window))
		return s.keyLines(from, from+len(window))
	}
	tail := s.rest(from+end, 80)
	dashes := strings.Index(tail, "----")
	if dashes < 0 {
		return s.keyLines(from, from+len(window))
	}
	at := from + end + dashes
	for at < len(s.Text) && s.Text[at] == '-' {
		at++
	}
	return at
}

// keyLines is the end of the lines of text[i:limit] that can be a key's:
// base64, headers, nothing.
func (s *scanner) keyLines(i, limit int) int {
	end := i
	for first := true; i < limit; first = false {
		line, next := nextLine(s.Text[:limit], i)
		s.saw(next)
		body := strings.Trim(line, " \t\r\"',>|+.…")
		if !(first && body == "") && body != "" && !isB64.all(body) && !pemHeader(body) {
			break
		}
		if body != "" {
			end = i + len(strings.TrimRight(line, " \t\r\"',>|"))
		}
		i = next
	}
	return end
}

func pemHeader(line string) bool {
	for _, h := range []string{"Proc-Type:", "DEK-Info:", "Comment:", "Version:", "Hash:", "Charset:"} {
		if strings.HasPrefix(line, h) {
			return true
		}
	}
	return false
}

// nextLine is the line from i on and where the next one begins. Both a line
// feed and its escapes end a line.
func nextLine(s string, i int) (line string, next int) {
	for j := i; j < len(s); j++ {
		if s[j] == '\n' {
			return s[i:j], j + 1
		}
		if s[j] == '\\' {
			k := j
			for k < len(s) && s[k] == '\\' {
				k++
			}
			if k < len(s) && (s[k] == 'n' || s[k] == 'r') {
				return s[i:j], k + 1
			}
			j = k - 1
		}
	}
	return s[i:], len(s)
}

// pemEnd reads backwards from an END line that has lost its beginning.
func (s *scanner) pemEnd(pos int) {
	start := s.dashesBefore(pos)
	tail := s.rest(pos, 80)
	dashes := strings.Index(tail, "----")
	if start < 0 || dashes < 0 || !privateLabel(tail[:dashes]) {
		return
	}
	from := start
	for from > 0 {
		lineEnd := from
		if s.Text[from-1] == '\n' {
			lineEnd--
		} else if strings.HasSuffix(s.Text[:from], `\n`) {
			lineEnd -= 2
		} else {
			break
		}
		lineStart := isB64.back(s.Text, lineEnd, 200)
		if lineEnd-lineStart < 4 || lineEnd-lineStart < 16 && from != start {
			break
		}
		from = lineStart
		if strings.HasSuffix(s.Text[:from], `\n`) {
			continue
		}
		if from >= 2 && s.Text[from-2] == '\\' && s.Text[from-1] == 'n' {
			continue
		}
		if strings.HasPrefix(s.Text[from:], "n") && from > 0 && s.Text[from-1] == '\\' {
			from++ // the n of \n is in the base64 alphabet
		}
	}
	if from < start {
		s.add("private-key", from, start)
	}
}

// dashesBefore is where the dashes before BEGIN or END start, -1 without.
func (s *scanner) dashesBefore(pos int) int {
	i := pos
	if i > 0 && s.Text[i-1] == ' ' {
		i--
	}
	start := i
	for start > 0 && s.Text[start-1] == '-' {
		start--
	}
	if i-start < 4 {
		return -1
	}
	return start
}

func privateLabel(label string) bool {
	return strings.Contains(label, "PRIVATE KEY") || strings.Contains(label, "PRIVATE RSA KEY")
}

// puttyKey reads the private lines of a PuTTY key file.
func (s *scanner) puttyKey(pos int) {
	from := pos + len("private-lines:")
	if !strings.ContainsAny(s.Text[from:min(len(s.Text), from+16)], "\n\\") {
		return
	}
	_, from = nextLine(s.Text, from)
	s.add("private-key", from, s.keyLines(from, min(len(s.Text), from+MaxPEM)))
}
