package find

import (
	"encoding/base64"
	"strings"
)

// Tokens whose shape takes more than a prefix.

// readJWT reads a JSON web token or its encrypted sister (RFC 7515, 7516): parts
// of base64url, the first of which is an object. Two parts without the
// signature are the claims all the same.
func (s *scanner) readJWT(pos int) {
	if !strings.HasPrefix(s.Text[pos:], "eyJ") || !s.canBegin(pos) {
		return
	}
	var ends []int // of the first parts, however many follow
	end := s.run(&isToken, pos)
	for ends = append(ends, end); len(ends) < 5 && end < len(s.Text) && s.Text[end] == '.'; ends = append(ends, end) {
		end = s.run(&isToken, end+1)
	}
	part := func(i int) int {
		if i >= len(ends) {
			return 0
		}
		return ends[i] - ends[i-1] - 1
	}
	if ends[0]-pos < 12 || part(1) < 4 && (len(ends) < 5 || part(2) < 4) { // a JWE's key part may be empty
		return
	}
	s.add("jwt", pos, trimDots(s.Text, pos, s.run(&isDots, pos)))
}

// readTelegramBot reads the colon between a bot's number and its token.
func (s *scanner) readTelegramBot(pos int) {
	start := isDigit.back(s.Text, pos+1, 12)
	end := isToken.upTo(s.Text, pos+2, 51)
	if n := end - pos - 2; pos+1-start < 5 || n < 30 || n > 50 || start > 0 && isAlnum[s.Text[start-1]] && !strings.HasSuffix(s.Text[:start], "bot") {
		return
	}
	if isMixed(s.Text[pos+2 : end]) {
		s.add("telegram", start, end)
	}
}

// maxDiscord is a little more than the bytes of the longest bot token.
const maxDiscord = 128

// readDiscordBot reads a bot token: the bot's number in base64, a time, a code.
func (s *scanner) readDiscordBot(pos int) {
	if !strings.ContainsRune("MNO", rune(s.Text[pos])) || !s.canBegin(pos) {
		return
	}
	end := isDots.upTo(s.Text, pos, maxDiscord)
	parts := strings.Split(s.Text[pos:end], ".")
	if len(parts) == 3 && len(parts[0]) >= 18 && len(parts[0]) <= 30 && len(parts[1]) >= 5 && len(parts[1]) <= 7 && len(parts[2]) >= 20 {
		s.add("discord", pos, end)
	}
}

var (
	isAzure      = chars(isToken, bytesOf("~."))
	isCapability = chars(isT68, bytesOf("%@"))
)

// readAzureClient reads an Entra client secret: three characters, a digit, "Q~",
// then 34.
func (s *scanner) readAzureClient(pos int) {
	start := isAzure.back(s.Text, pos, 3)
	end := isAzure.upTo(s.Text, pos+3, 41)
	if pos-start == 3 && end-pos-3 >= 28 && end-pos-3 <= 40 {
		s.add("azure", start, end)
	}
}

// readTwilio reads an API key: SK and 32 hex digits.
func (s *scanner) readTwilio(pos int) {
	end := isHex.upTo(s.Text, pos+2, 33)
	if strings.HasPrefix(s.Text[pos:], "SK") && s.canBegin(pos) && end-pos == 34 {
		s.add("twilio", pos, end)
	}
}

// readMailchimp reads 32 hex digits before a data centre.
func (s *scanner) readMailchimp(pos int) {
	start := isHex.back(s.Text, pos, 33)
	end := isDigit.upTo(s.Text, pos+3, 4)
	if pos-start == 32 && end > pos+3 && end-pos <= 5 {
		s.add("mailchimp", start, end)
	}
}

// readCapabilityURL hides what follows a marker in a URL that grants something to
// everyone who knows it: a webhook.
func (s *scanner) readCapabilityURL(pos, length int) {
	from := pos + length
	end := s.run(isCapability, from)
	if end-from >= 8 {
		s.add("webhook", from, trimDots(s.Text, from, end))
	}
}

// readEncodedPEM reads base64 of a PEM block, as in a kubeconfig.
func (s *scanner) readEncodedPEM(pos int) {
	end := s.run(&isB64, pos)
	head, err := base64.StdEncoding.DecodeString(s.Text[pos : pos+min(end-pos, 64)/4*4])
	if err == nil && strings.Contains(string(head), "PRIVATE KEY") && s.canBegin(pos) {
		s.add("private-key", pos, end)
	}
}

func trimDots(s string, from, end int) int {
	for end > from && strings.IndexByte(".-", s[end-1]) >= 0 {
		end--
	}
	return end
}
