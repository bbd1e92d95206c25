package interpret

import (
	"fmt"
	"os"
	"testing"
)

func TestDbg(t *testing.T) {
	if os.Getenv("DBG") == "" {
		return
	}
	in := newInterpreter(t)
	p := &parser{in: in, text: os.Getenv("DBG"), toks: tokenize(os.Getenv("DBG"))}
	p.marks = in.lex.find(p.toks)
	names := map[kind]string{}
	for n, k := range kindNames {
		names[k] = n
	}
	for i, tk := range p.toks {
		fmt.Printf("%q shape%d:", tk.fold, tk.shape)
		for _, m := range p.marks[i] {
			fmt.Printf(" %s/%d(%s,%d)", names[m.kind], m.kind, m.value, m.n)
		}
		fmt.Println()
	}
	for _, pc := range p.pieces() {
		fmt.Printf("piece %+v %q\n", pc, p.cut(pc.lo, pc.hi))
	}
	for _, c := range p.clauses() {
		fmt.Printf("clause %+v\n", c)
	}
	r := in.Read(p.text)
	fmt.Println(r.Status, r.Reason, short(r, finish(in, r)))
}
