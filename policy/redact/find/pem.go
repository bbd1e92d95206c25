package find

import "strings"

// MaxPEM is how far a block's end is looked for; a 16384-bit RSA key has 13 KB.
const MaxPEM = 64 << 10

// readPEMBegin reads from the BEGIN line of a private key (RFC 7468, and SSH2's
// four dashes) to its END, or, where the block was cut, over all lines that
// can belong to one. Lines may be ended by the two characters \n.
func (s *scanner) readPEMBegin(pos int) {
	start := s.findDashes(pos)
	if start < 0 {
		return
	}
	head := s.rest(pos, 80)
	dashes := strings.Index(head, "----")
	if dashes < 0 || !isPrivateLabel(head[:dashes]) {
		return
	}
	from := pos + dashes
	for from < len(s.Text) && s.Text[from] == '-' {
		from++
	}
	if end := s.findPEMEnd(from); end > from {
		s.add("private-key", start, end)
	}
}

func (s *scanner) findPEMEnd(from int) int {
	window := s.Text[from:min(len(s.Text), from+MaxPEM)]
	if next := strings.Index(window, "BEGIN "); next >= 0 {
		window = window[:next]
	}
	end := strings.Index(window, "END ")
	if end < 0 {
		s.noteRead(from + len(window))
		return s.skipKeyLines(from, from+len(window))
	}
	tail := s.rest(from+end, 80)
	dashes := strings.Index(tail, "----")
	if dashes < 0 {
		return s.skipKeyLines(from, from+len(window))
	}
	at := from + end + dashes
	for at < len(s.Text) && s.Text[at] == '-' {
		at++
	}
	return at
}

// skipKeyLines is the end of the lines of text[i:limit] that can be a key's:
// base64, headers, nothing.
func (s *scanner) skipKeyLines(i, limit int) int {
	end := i
	for first := true; i < limit; first = false {
		line, next := nextLine(s.Text[:limit], i)
		s.noteRead(next)
		body := strings.Trim(line, " \t\r\"',>|+.…")
		if !(first && body == "") && body != "" && !isB64.all(body) && !isPEMHeader(body) {
			break
		}
		if body != "" {
			end = i + len(strings.TrimRight(line, " \t\r\"',>|"))
		}
		i = next
	}
	return end
}

func isPEMHeader(line string) bool {
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

// readPEMEnd reads backwards from an END line that has lost its beginning.
func (s *scanner) readPEMEnd(pos int) {
	start := s.findDashes(pos)
	tail := s.rest(pos, 80)
	dashes := strings.Index(tail, "----")
	if start < 0 || dashes < 0 || !isPrivateLabel(tail[:dashes]) {
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

// findDashes is where the dashes before BEGIN or END start, -1 without.
func (s *scanner) findDashes(pos int) int {
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

func isPrivateLabel(label string) bool {
	return strings.Contains(label, "PRIVATE KEY") || strings.Contains(label, "PRIVATE RSA KEY")
}

// readPuTTYKey reads the private lines of a PuTTY key file.
func (s *scanner) readPuTTYKey(pos int) {
	from := pos + len("private-lines:")
	if !strings.ContainsAny(s.Text[from:min(len(s.Text), from+16)], "\n\\") {
		return
	}
	_, from = nextLine(s.Text, from)
	s.add("private-key", from, s.skipKeyLines(from, min(len(s.Text), from+MaxPEM)))
}
