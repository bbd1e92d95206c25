function (marks) {
  const collapse = (s) => (s || "").replace(/\s+/g, " ").trim();
  const seen = (e) => {
    if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const r = e.getBoundingClientRect();
    return r.width > 1 && r.height > 1;
  };
  const name = (e) => collapse(e.getAttribute("aria-label") || (e.labels && e.labels[0] && e.labels[0].innerText) || e.innerText || e.alt || e.value || e.placeholder || e.name).slice(0, 120);
  const kind = (e) => {
    if (e.matches("button, [role=button], input[type=submit], input[type=button], input[type=image]")) return "button";
    if (e.matches("input[type=checkbox], [role=checkbox]")) return "checkbox";
    if (e.matches("input[type=password]")) return "password";
    if (e.matches("img")) return "image";
    return "text";
  };
  const controls = (root, max) => {
    const found = [];
    for (const e of root.querySelectorAll("button, [role=button], [role=checkbox], input:not([type=hidden]), textarea, select, img[src*=aptcha], img[alt*=aptcha]")) {
      if (found.length < max && seen(e)) found.push({ Kind: kind(e), Name: name(e) + (e.name ? " " + e.name : "") });
    }
    for (const e of root.querySelectorAll("a")) {
      if (found.length < max && seen(e) && root !== document.body) found.push({ Kind: "button", Name: name(e) });
    }
    return found;
  };
  const body = document.body;
  if (!body) return { Text: "", TextLen: 0, Links: 0, Frames: [], Controls: [], IDs: [], Cover: null };
  const text = collapse(body.innerText);

  // What lies over the page: the same fixed element, or one that holds it, under
  // most of a grid of points.
  const over = new Map();
  let points = 0;
  for (let x = 1; x <= 5; x++) for (let y = 1; y <= 5; y++) {
    points++;
    const tops = new Set();
    for (let e = document.elementFromPoint((innerWidth * x) / 6, (innerHeight * y) / 6); e && e !== body && e !== document.documentElement; e = e.parentElement) {
      const s = getComputedStyle(e);
      if (s.position === "fixed" || s.position === "sticky" || e.matches("dialog[open]")) tops.add(e);
    }
    for (const e of tops) over.set(e, (over.get(e) || 0) + 1);
  }
  let cover = null;
  const layers = [...over].sort((a, b) => b[1] - a[1]);
  if (layers.length) {
    const share = layers.reduce((n, l) => n + (layers.some((o) => o[0] !== l[0] && o[0].contains(l[0])) ? 0 : l[1]), 0) / points;
    const dialog = layers.map((l) => l[0]).find((e) => e.matches("dialog, [role=dialog], [role=alertdialog]") || e.querySelector("[role=dialog], [role=alertdialog]"));
    const modal = layers.some((l) => l[0].matches("dialog:modal"));
    const talks = dialog || layers.map((l) => l[0]).find((e) => collapse(e.innerText) !== "") || layers[0][0];
    const stuck = [body, document.documentElement].some((e) => /hidden|clip/.test(getComputedStyle(e).overflowY) || getComputedStyle(e).position === "fixed");
    cover = {
      Share: share, Dialog: !!dialog || modal, Text: collapse(talks.innerText).slice(0, 2000), Controls: controls(talks, 40),
      Locked: modal || share >= 0.8 || (share >= 0.25 && (stuck || body.hasAttribute("inert") || !!document.querySelector("main[inert], #root[inert], [aria-modal=true]"))),
    };
  }
  return {
    Text: text.slice(0, 4000), TextLen: text.length,
    Headings: [...document.querySelectorAll("h1, h2, [role=heading]")].filter(seen).map((e) => collapse(e.innerText).slice(0, 200)).slice(0, 12),
    Article: !!document.querySelector("article, time, [itemprop=articleBody]"),
    Links: [...document.links].filter(seen).length,
    Frames: [...document.querySelectorAll("iframe")].map((f) => {
      const r = f.getBoundingClientRect();
      const there = seen(f) && r.bottom > 0 && r.top < innerHeight;
      return { URL: f.src, Width: there ? Math.round(r.width) : 0, Height: there ? Math.round(r.height) : 0 };
    }),
    Controls: controls(body, 40),
    IDs: marks.filter((m) => document.getElementById(m) || document.getElementsByClassName(m).length),
    Cover: cover,
  };
}
