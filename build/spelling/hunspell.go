package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// suffix is a rule of a hunspell dictionary: a word that matches loses strip and gains add.
type suffix struct {
	strip, add string
	matches    *regexp.Regexp
}

// expand lists the words of a hunspell dictionary with all their endings.
func expand(base string) ([]string, error) {
	rules, err := readSuffixes(base + ".aff")
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(base + ".dic")
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		word, flags, _ := strings.Cut(strings.TrimSpace(line), "/")
		out = append(out, word)
		for _, f := range flags {
			for _, r := range rules[f] {
				if strings.HasSuffix(word, r.strip) && r.matches.MatchString(word) {
					out = append(out, strings.TrimSuffix(word, r.strip)+r.add)
				}
			}
		}
	}
	return out, nil
}

// readSuffixes reads the rules "SFX flag strip add condition".
func readSuffixes(name string) (map[rune][]suffix, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	out := map[rune][]suffix{}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 5 || f[0] != "SFX" {
			continue
		}
		matches, err := regexp.Compile("(?:" + f[4] + ")$")
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		flag, none := []rune(f[1])[0], strings.NewReplacer("0", "")
		out[flag] = append(out[flag], suffix{none.Replace(f[2]), none.Replace(f[3]), matches})
	}
	return out, nil
}
