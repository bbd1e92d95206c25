package demo

import (
	"fmt"
	"hash/fnv"
)

// entry is one entry of a results page. A hash of the query determines its content: the
// same query gives the same page.
type entry struct {
	Title, By, Note, Text string
	Address               string // of its page on the site
	Badge                 string // duration or price
	Art                   art
	Avatar                string // path on the host of pictures
}

// art is a small abstract picture: a sun over two hills.
type art struct {
	ID              int
	Sky, Glow       int // hues, in degrees
	SunX, SunY, Sun int
	Hill, Far       string
}

var (
	titles = map[kind][]string{
		video: {
			"%s, explained slowly", "A calm hour with %s", "What changed in %s this year", "%s from the beginning",
			"Ten quiet facts about %s", "Inside %s: a walk-through", "%s for people in a hurry", "The long story of %s",
		},
		web: {
			"%s — an overview", "Getting started with %s", "The short guide to %s", "Questions people ask about %s",
			"%s in practice: notes from a year", "A history of %s", "Reading list: %s", "%s, compared with its alternatives",
		},
		shop: {
			"%s, standard edition", "%s starter set", "The big book of %s", "%s, refurbished, as good as new",
			"Case for %s, felt", "%s travel kit", "Poster: %s", "%s gift box",
		},
	}
	authors = []string{"Field Notes", "Quiet Garden", "Paper Boats", "North Window", "Slow Lane", "Small Hours", "Open Bench", "Tin Kettle"}
	texts   = []string{
		"A plain introduction that starts with the words everybody uses and ends with the ones that matter.",
		"Where it comes from, what it is good for, and three things that are often said about it and are not true.",
		"Short chapters, one idea each. Nothing to buy, nothing to sign up for; this page is made up.",
		"Collected over a long winter, checked twice, and kept as short as it could be without lying.",
	}
)

const perPage = 8

func entriesOf(s site, query string) []entry {
	entries := make([]entry, perPage)
	first := seed(s.Host, query, -1) // neighbours differ if the list is long enough
	for i := range entries {
		n := seed(s.Host, query, i)
		pick := func(list []string) string { return list[(first+3*uint64(i))%uint64(len(list))] }
		e := entry{
			Title: fmt.Sprintf(titles[s.Kind][i], query), By: pick(authors), Text: pick(texts), Art: artOf(n, i),
			Avatar: fmt.Sprintf("/avatar/%d.svg", n%360), Address: fmt.Sprintf("/page/%x", n>>16),
		}
		switch s.Kind {
		case video:
			e.Address = fmt.Sprintf("/watch?v=%x", n>>16)
			e.Note = fmt.Sprintf("%d thousand views · %d days ago", 1+n%900, 1+n/13%340)
			e.Badge = fmt.Sprintf("%d:%02d", 3+n/17%42, n/19%60)
		case shop:
			e.Address = fmt.Sprintf("/item/%x", n>>16)
			e.Note = fmt.Sprintf("%d.%d of 5 · %d in stock", 3+n/13%2, n/17%10, 1+n/19%60)
			e.Badge = fmt.Sprintf("¤ %d.%02d", 4+n/23%120, n/29%100)
		default:
			e.Note = fmt.Sprintf("%d minutes to read", 2+n/13%14)
		}
		entries[i] = e
	}
	return entries
}

func artOf(n uint64, id int) art {
	hillPath := func(bits, left, middle, right uint64) string {
		return fmt.Sprintf("M0 %d C 60 %d, 110 %d, 160 %d S 270 %d, 320 %d V 180 H 0 Z",
			left+bits%24, middle-20, middle+24, middle, right+bits/24%40, right-bits/960%20)
	}
	return art{
		ID: id, Sky: int(n % 360), Glow: int((n%360 + 40) % 360),
		SunX: int(50 + n/31%220), SunY: int(40 + n/37%45), Sun: int(16 + n/41%18),
		Far: hillPath(n>>16, 82, 112, 92), Hill: hillPath(n>>32, 124, 134, 142),
	}
}

// seed returns a number that is probably unique for each query. It applies MurmurHash3's
// finalizer to FNV-1a, because FNV alone gives similar values for similar queries.
func seed(host, query string, i int) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s\x00%s\x00%d", host, query, i) // a hash never fails
	n := h.Sum64()
	n = (n ^ n>>33) * 0xff51afd7ed558ccd
	n = (n ^ n>>33) * 0xc4ceb9fe1a85ec53
	return (n ^ n>>33) >> 1
}
