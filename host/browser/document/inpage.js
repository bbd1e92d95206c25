// What the program does inside of a page. It runs in a world of its own, which
// the page's scripts can neither see nor change: they share the document alone.
(() => {
  const collapse = (s) => (s || "").replace(/\s+/g, " ").trim();

  // roots are a node and every open shadow root below it, in document order.
  function* elements(root) {
    const below = root.querySelectorAll ? root.querySelectorAll("*") : [];
    if (root.shadowRoot) yield* elements(root.shadowRoot);
    for (const e of below) {
      yield e;
      if (e.shadowRoot) yield* elements(e.shadowRoot);
    }
  }

  const parent = (n) => n.parentNode || (n instanceof ShadowRoot ? n.host : null);
  const composedParent = (n) => n.assignedSlot || (n.parentNode instanceof ShadowRoot ? n.parentNode.host : n.parentNode);

  function inside(n, of) {
    for (; n; n = composedParent(n)) if (n === of) return true;
    return false;
  }

  function styled(e) {
    return e.nodeType === Node.ELEMENT_NODE ? e : composedParent(e);
  }

  function visible(e) {
    if (!e.checkVisibility({ visibilityProperty: true })) return false;
    if (getComputedStyle(e).display === "contents") {
      return [...e.childNodes].some((c) => (c.nodeType === Node.TEXT_NODE ? collapse(c.data) !== "" : c.nodeType === Node.ELEMENT_NODE && visible(c)));
    }
    const r = e.getBoundingClientRect();
    return r.width > 0 && r.height > 0;
  }

  function disabled(e) {
    if (e.matches("button,select,input,textarea,option,optgroup,fieldset") && e.matches(":disabled")) return true;
    for (let n = e; n; n = composedParent(n)) {
      if (n.nodeType === Node.ELEMENT_NODE && n.getAttribute("aria-disabled") === "true") return true;
    }
    return false;
  }

  const plainInputs = ["", "text", "search", "email", "url", "tel", "password", "number"];
  const setInputs = ["date", "time", "datetime-local", "month", "week", "color", "range"];

  // fillable says how a value gets into a control: by typing, or by being set.
  function fillable(e) {
    if (e instanceof HTMLTextAreaElement || e.isContentEditable) return "type";
    if (e instanceof HTMLInputElement) {
      if (plainInputs.includes((e.getAttribute("type") || "").toLowerCase()) || e.type === "text") return "type";
      if (setInputs.includes(e.type)) return "set";
    }
    return "";
  }

  // boxes are the fields that a page may split one value over, from e on, such as one
  // for each digit of a code: text fields that follow each other, of the same width,
  // each with room for one character, or for as many and with no label of its own.
  function boxes(e) {
    const square = (o) => o.offsetWidth <= 2 * o.offsetHeight;
    const like = (o) =>
      o instanceof HTMLInputElement && o.type === e.type && o.form === e.form && o.offsetWidth === e.offsetWidth &&
      (square(o) || (o.maxLength === e.maxLength && (o.maxLength === 1 || (o.maxLength > 1 && !o.labels.length))));
    if (!(e instanceof HTMLInputElement) || fillable(e) !== "type") return [];
    const all = [...elements(e.getRootNode())].filter((o) => fillable(o) && visible(o)), from = all.indexOf(e);
    if (from < 0) return [];
    const found = [e];
    for (const o of all.slice(from + 1)) {
      if (!like(o)) break;
      found.push(o);
    }
    return found;
  }

  // heard says that a key came to this document.
  let heard = false;
  addEventListener("keydown", () => (heard = true), true);

  // covered are fields that hold a part of a secret.
  const covered = new WeakSet();

  function describe(e) {
    if (!e || e.nodeType !== Node.ELEMENT_NODE) return "the page";
    let s = e.localName;
    if (e.id) s += "#" + e.id;
    for (const c of [...e.classList].slice(0, 2)) s += "." + c;
    const text = collapse(e.getAttribute("aria-label") || e.innerText || "").slice(0, 60);
    return text ? s + " " + JSON.stringify(text) : s;
  }

  // frame is the time, by the clock of animations, of the next frame; none of a
  // page that does not paint.
  const frame = () =>
    new Promise((done) => {
      const late = setTimeout(done, 300);
      requestAnimationFrame(() => {
        clearTimeout(late);
        done(document.timeline.currentTime);
      });
    });

  // task is the next one of the page's: what was put off until now has run.
  const task = () =>
    new Promise((done) => {
      const c = new MessageChannel();
      c.port1.onmessage = () => {
        c.port1.close();
        done();
      };
      c.port2.postMessage(0);
    });

  // moved is the next frame in which what moves has moved. Between two frames
  // Chromium's clock of animations runs ahead to where it guesses the next one,
  // and stands when a frame comes before that; such a frame shows nothing.
  async function moved() {
    const from = document.timeline.currentTime;
    for (let frames = 0; frames < 4; frames++) {
      const at = await frame();
      await task(); // scripts of the page that move things in this frame have done so
      if (at == null || at > from) return;
    }
  }

  // animated reports an element that the page may be moving: it, or what it is
  // in, has an animation that runs.
  function animated(e) {
    return document.getAnimations().some((a) => a.playState === "running" && a.effect?.target?.contains(e));
  }

  function box(e) {
    const view = { w: innerWidth, h: innerHeight };
    for (const r of e.getClientRects()) {
      const left = Math.max(r.left, 0), top = Math.max(r.top, 0);
      const right = Math.min(r.right, view.w), bottom = Math.min(r.bottom, view.h);
      if (right - left > 0.5 && bottom - top > 0.5) return { x: (left + right) / 2, y: (top + bottom) / 2 };
    }
    return null;
  }

  // at is the innermost element at a point, through open shadow roots, and
  // through the closed one that e is in.
  function at(e, x, y) {
    const own = e.getRootNode();
    if (own instanceof ShadowRoot) {
      const found = own.elementFromPoint(x, y);
      if (found && own.contains(found)) return deepest(found, x, y);
    }
    return deepest(document.elementFromPoint(x, y), x, y);
  }

  function deepest(found, x, y) {
    while (found && found.shadowRoot) {
      const below = found.shadowRoot.elementFromPoint(x, y);
      if (!below || below === found || !found.shadowRoot.contains(below)) break;
      found = below;
    }
    return found;
  }

  function receives(e, x, y) {
    const found = at(e, x, y);
    if (!found) return "nothing";
    if (inside(found, e)) return "";
    const label = found.closest && found.closest("label");
    if (label && label.control === e) return "";
    return describe(found);
  }

  // textOf is what a person reads of an element, shadow trees included: innerText
  // knows nothing of them.
  function textOf(e) {
    if (!e) return "";
    let shadows = !!e.shadowRoot;
    for (const x of e.querySelectorAll("*")) if ((shadows = shadows || !!x.shadowRoot)) break;
    if (!shadows) return e.innerText || "";
    const out = [];
    const walk = (n) => {
      if (n.nodeType === Node.TEXT_NODE) out.push(n.data.replace(/\s+/g, " "));
      if (n.nodeType !== Node.ELEMENT_NODE) return;
      if (n.localName === "br") return void out.push("\n");
      const style = getComputedStyle(n);
      if (style.display === "none" || style.visibility === "hidden" || ["script", "style", "noscript", "template"].includes(n.localName)) return;
      const block = !style.display.startsWith("inline") && style.display !== "contents";
      if (block) out.push("\n");
      const inner = n.shadowRoot ? n.shadowRoot.childNodes : n.localName === "slot" && n.assignedNodes().length ? n.assignedNodes() : n.childNodes;
      for (const c of inner) walk(c);
      if (block) out.push("\n");
    };
    walk(e);
    return out.join("").replace(/ *\n[ \n]*/g, "\n").trim();
  }

  // cell is a row's cell in the column with a heading.
  function cell(row, heading) {
    const table = row.closest("table");
    if (!table || !row.cells) return null;
    for (const r of table.rows) {
      let at = 0;
      for (const c of r.cells) {
        if (c.localName === "th" && collapse(c.innerText).toLowerCase() === collapse(heading).toLowerCase()) {
          let to = 0;
          for (const d of row.cells) {
            if (to <= at && at < to + d.colSpan) return d;
            to += d.colSpan;
          }
          return null;
        }
        at += c.colSpan;
      }
    }
    return null;
  }

  // hidden says of a control that what is in it is a secret: it shows dots, or its
  // page says so by the tokens of autocomplete (HTML, "autofill").
  function hidden(e) {
    if (e.type === "password" || covered.has(e)) return true;
    const tokens = (e.getAttribute && e.getAttribute("autocomplete") || "").toLowerCase().split(/\s+/);
    return tokens.some((t) => ["current-password", "new-password", "one-time-code", "cc-number", "cc-csc", "cc-exp", "cc-exp-month", "cc-exp-year"].includes(t));
  }

  function read(e, attr) {
    let s;
    if (!attr) s = collapse(e.innerText === undefined ? e.textContent : e.innerText);
    else if (attr === "value" && e.value !== undefined) s = hidden(e) ? null : String(e.value);
    else if ((attr === "href" || attr === "src" || attr === "action") && e.hasAttribute(attr)) s = String(e[attr]);
    else s = e.getAttribute(attr);
    return s === null ? null : s.slice(0, 2048);
  }

  // holds says whether a control has the focus of its own document. While a frame inside
  // of the document has it, none of the document's controls does.
  function holds(e) {
    const at = e.getRootNode().activeElement;
    return !!at && (at === e || (e.isContentEditable && (inside(e, at) || inside(at, e))));
  }

  // grasp puts the focus on a control and selects what is in it. It says whether the
  // control has the focus then.
  function grasp(e) {
    e.focus({ preventScroll: true });
    if (e.isContentEditable) {
      const range = document.createRange();
      range.selectNodeContents(e);
      const s = e.getRootNode().getSelection ? e.getRootNode().getSelection() : getSelection();
      s.removeAllRanges();
      s.addRange(range);
    } else if (e.select) e.select();
    return holds(e);
  }

  // put types a text over the selection of a control of this document; "" deletes what is
  // selected. The text goes to the document's own selection, whichever frame has the focus
  // of the page. A page may take the text itself and cancel the change, as editors do.
  function put(e, text) {
    const change = text === "" ? { inputType: "deleteContentForward", data: null } : { inputType: "insertText", data: text };
    let taken = !e.dispatchEvent(new InputEvent("beforeinput", { ...change, bubbles: true, cancelable: true, composed: true }));
    if (!taken && text !== "") {
      const typed = document.createEvent("TextEvent");
      typed.initTextEvent("textInput", true, true, window, text);
      taken = !e.dispatchEvent(typed);
    }
    if (!taken && holds(e)) document.execCommand(text === "" ? "forwardDelete" : "insertText", false, text);
  }

  const scrolls = ["center", "end", "start", "nearest"];

  const handlers = ["click", "mousedown", "mouseup", "pointerdown", "pointerup"].map((h) => "[on" + h + "]").join(",");

  // controls are what people click, by the words on it.
  const controls = "a[href],button,summary,select,label,input:not([type=hidden]),textarea,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[contenteditable=''],[contenteditable=true]";

  // names are the texts by which people call a control or a field.
  function names(e) {
    const own = [e.getAttribute("aria-label"), e.getAttribute("placeholder"), e.getAttribute("title"), e.getAttribute("alt")];
    const by = (e.getAttribute("aria-labelledby") || "").split(/\s+/).map((id) => id && e.getRootNode().getElementById?.(id)?.innerText);
    const labels = [...(e.labels || [])].map((l) => l.innerText);
    const input = e instanceof HTMLInputElement && ["submit", "button", "reset"].includes(e.type) ? [e.value] : [];
    const inner = fillable(e) || e instanceof HTMLSelectElement ? [] : [e.innerText, ...[...e.querySelectorAll("img[alt],[aria-label]")].map((i) => i.getAttribute("aria-label") || i.getAttribute("alt"))];
    return [...own, ...by, ...labels, ...input, ...inner].map(collapse).filter((s) => s);
  }

  // searches reports a field for searching the site.
  const searches = (e) =>
    e.type === "search" || e.getAttribute("role") === "searchbox" || !!e.closest("[role=search],search") || ["q", "query", "search", "s", "text"].includes(e.name);

  // named lists the visible controls or fields with a name. Whole names win over parts. A control
  // inside of another one with that name is the same to a person.
  function named(root, by, wanted, exact) {
    const w = collapse(wanted), part = [], whole = [];
    for (const e of elements(root)) {
      if (!(by === "field" ? fillable(e) : e.matches(controls)) || !visible(e)) continue;
      const all = names(e);
      if (by === "field" && w === "@search" ? searches(e) : all.some((s) => (exact ? s === w : s.toLowerCase() === w.toLowerCase()))) whole.push(e);
      else if (!exact && all.some((s) => s.toLowerCase().includes(w.toLowerCase()))) part.push(e);
    }
    const found = whole.length ? whole : part;
    return found.filter((e) => !found.some((o) => o !== e && (inside(e, o) || (e.localName === "label" && e.control === o))));
  }

  // spread is the text that the document shows, in small letters, with the place of each of its
  // characters. White space is one space; blocks are apart by a line break, which no text crosses.
  function spread() {
    let all = "", before = null;
    const at = [], blocks = new Map();
    const block = (e) => {
      if (!blocks.has(e)) blocks.set(e, e.parentElement && getComputedStyle(e).display.startsWith("inline") ? block(e.parentElement) : e);
      return blocks.get(e);
    };
    const walker = document.createTreeWalker(document.body || document.documentElement, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
      const e = n.parentElement;
      if (!e || ["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "TEXTAREA", "OPTION"].includes(e.tagName) || !e.checkVisibility({ visibilityProperty: true })) continue;
      if (block(e) !== before) {
        before = block(e);
        all += "\n";
        at.push(null);
      }
      for (let i = 0; i < n.data.length; i++) {
        const c = /\s/.test(n.data[i]) ? " " : n.data[i].toLowerCase()[0];
        if (c === " " && (all.endsWith(" ") || all.endsWith("\n"))) continue;
        all += c;
        at.push([n, i]);
      }
    }
    return { all, at };
  }

  // places are where a text begins in what the document shows.
  function places(text, wanted) {
    const w = [...collapse(wanted)].map((c) => c.toLowerCase()[0] + c.slice(1)).join(""), found = [];
    for (let i = text.all.indexOf(w); w && i >= 0; i = text.all.indexOf(w, i + w.length)) found.push(i);
    return { found, length: w.length };
  }

  const levels = [25, 33, 50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400, 500];

  const api = {
    // query lists the elements that a selector or an attribute's text names.
    query(by, wanted, exact) {
      const root = this === undefined || this === globalThis ? document : this;
      if (by === "css") document.createDocumentFragment().querySelector(wanted); // throws where it is none
      const fits = (s) => {
        s = collapse(s);
        const w = collapse(wanted);
        return exact ? s === w : s.toLowerCase().includes(w.toLowerCase());
      };
      const found = [];
      for (const e of elements(root)) {
        if (by === "css" ? e.matches(wanted) : by === "test_id" ? e.getAttribute("data-testid") === wanted : e.hasAttribute("placeholder") && fits(e.getAttribute("placeholder"))) {
          found.push(e);
          if (found.length > 1000) break;
        }
      }
      return found;
    },

    count(list) {
      return list.length;
    },

    // ready checks what an action needs, scrolls the element into view, and says
    // where it is in its frame's view.
    async ready(needs, attempt) {
      const e = this.nodeType === Node.ELEMENT_NODE ? this : styled(this);
      if (!e || !e.isConnected) return { fault: "attached" };
      if (needs.includes("visible") && !visible(e)) return { fault: "visible" };
      if (needs.includes("enabled") && disabled(e)) return { fault: "enabled" };
      if (needs.includes("editable")) {
        if (!fillable(e) && !(e instanceof HTMLSelectElement)) return { fault: "fillable", what: describe(e) };
        if (e.readOnly || e.getAttribute("aria-readonly") === "true") return { fault: "editable" };
      }
      if (!needs.includes("point")) return {};
      let p = box(e);
      if (!p || attempt > 0) {
        e.scrollIntoView({ block: scrolls[attempt % scrolls.length], inline: "center", behavior: "instant" });
      }
      const first = e.getBoundingClientRect();
      for (let looks = animated(e) ? 3 : 1; looks > 0; looks--) {
        await moved();
        if (!e.isConnected) return { fault: "attached" };
        const then = e.getBoundingClientRect();
        if (first.x !== then.x || first.y !== then.y || first.width !== then.width || first.height !== then.height) return { fault: "stable" };
      }
      p = box(e);
      if (!p) return { fault: "in view" };
      const what = receives(e, p.x, p.y);
      if (what) return { fault: "covered", what };
      return p;
    },

    // through says where a point of a frame is in the view that the frame stands
    // in, and whether the frame receives it.
    through(x, y) {
      const r = this.getBoundingClientRect(), style = getComputedStyle(this);
      x += r.left + this.clientLeft + parseFloat(style.paddingLeft);
      y += r.top + this.clientTop + parseFloat(style.paddingTop);
      const what = receives(this, x, y);
      return what ? { fault: "covered", what } : { x, y };
    },

    // clicked says what a click on the element would come to: where a link leads,
    // or that it is none. An anchor whose markup says that a script handles the
    // click is none, and so is one that leads nowhere.
    clicked() {
      const e = styled(this);
      for (let n = e; n; n = composedParent(n)) {
        if (n.nodeType !== Node.ELEMENT_NODE) continue;
        if (n.matches("button,input,select,textarea,summary,label,[contenteditable],[role=button],[role=checkbox],[role=menuitem],[role=switch],[role=tab]")) return { kind: "control" };
        if (n.matches(handlers)) return { kind: "handled" };
        if ((n.localName !== "a" && n.localName !== "area") || !n.hasAttribute("href")) continue;
        const to = new URL(n.href, document.baseURI);
        const nowhere = n.getAttribute("href").trim() === "#" || (to.protocol !== "http:" && to.protocol !== "https:");
        return { kind: nowhere || n.hasAttribute("download") || n.hasAttribute("ping") ? "other" : "link", url: n.href };
      }
      return { kind: "other" };
    },

    // link is the link that the element is, or is in.
    link() {
      for (let n = styled(this); n; n = composedParent(n)) if (n.localName === "a" || n.localName === "area") return n;
      return null;
    },

    // grip puts the focus on a control and selects what is in it, so that typing
    // takes its place. It says how a value gets in.
    grip() {
      const e = styled(this), held = grasp(e);
      return { how: fillable(e), type: String(e.type ?? ""), maxLength: e.maxLength ?? 0, boxes: boxes(e).length, empty: e.isContentEditable ? e.innerText === "" : e.value === "", secret: hidden(e), held };
    },

    // enter puts a text in place of what is in a control. It takes the focus in the same
    // step, and does nothing unless the control has it.
    enter(text) {
      const e = styled(this);
      if (!grasp(e)) return { held: false };
      put(e, text);
      return { held: true };
    },

    // key types a character into the box that has the focus, of the boxes from this one
    // on, with the events of a key. It says which one that was, -1 where none has the
    // focus, and whether it had room. was is the one that took the key before; what is in
    // another one yields to the key. A separator is not typed behind the first box: the
    // page itself draws it there.
    key(was, k, separator) {
      const list = boxes(this), at = list.indexOf(this.getRootNode().activeElement), on = list[at];
      if (at < 0) return { at, room: false };
      if (at === was) {
        if (on.value.length >= on.maxLength) return { at, room: false };
      } else on.select();
      if (separator && at > 0) return { at: was, room: true };
      const press = (type, code) => new KeyboardEvent(type, { key: k.name, code: k.code, keyCode: code, which: code, charCode: type === "keypress" ? code : 0, bubbles: true, cancelable: true, composed: true });
      const taken = !on.dispatchEvent(press("keydown", k.vk)) || !on.dispatchEvent(press("keypress", k.name.codePointAt(0)));
      const now = taken ? null : list[list.indexOf(this.getRootNode().activeElement)]; // a page may move on before the text is in
      if (now) put(now, k.name);
      on.dispatchEvent(press("keyup", k.vk));
      return { at, room: true };
    },

    boxed() {
      return { values: boxes(styled(this)).map((o) => o.value) };
    },

    // cover makes what is in the boxes from this one on a secret, and answers with them.
    cover() {
      const list = boxes(styled(this));
      for (const o of list) covered.add(o);
      return list;
    },

    typed() {
      return { how: fillable(styled(this)) };
    },

    focus() {
      styled(this).focus();
    },

    // set gives a control that is not typed into its value: a date, a colour. What is
    // no colour is black to it, and any colour has a form of its own.
    set(value) {
      const e = this, proto = Object.getPrototypeOf(e);
      Object.getOwnPropertyDescriptor(proto, "value").set.call(e, value);
      e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
      e.dispatchEvent(new Event("change", { bubbles: true }));
      return { malformed: e.type === "color" && !CSS.supports("color", value) };
    },

    value() {
      const e = styled(this);
      if (e.type === "checkbox" || e.type === "radio") return { checked: e.checked };
      const checked = e.getAttribute("aria-checked");
      if (checked !== null) return { checked: checked === "true" };
      if (e instanceof HTMLSelectElement) return { value: e.value, values: [...e.selectedOptions].map((o) => o.label) };
      return { value: e.isContentEditable ? e.innerText : e.value === undefined ? null : String(e.value), secret: hidden(e) };
    },

    // select picks options of a list by their value or their label.
    select(wanted) {
      const e = styled(this);
      if (!(e instanceof HTMLSelectElement)) return { fault: "not_a_list" };
      if (wanted.length > 1 && !e.multiple) return { fault: "one_only" };
      const options = [...e.options], picked = [];
      for (const w of wanted) {
        let fits = options.filter((o) => o.value === w);
        if (fits.length === 0) fits = options.filter((o) => collapse(o.label) === collapse(w));
        if (fits.length !== 1) return { fault: fits.length ? "ambiguous" : "no_option", what: w, options: options.slice(0, 20).map((o) => collapse(o.label)), secret: hidden(e) };
        if (fits[0].disabled || (fits[0].parentElement.localName === "optgroup" && fits[0].parentElement.disabled)) return { fault: "disabled", what: w };
        picked.push(fits[0]);
      }
      const changed = options.some((o) => o.selected !== picked.includes(o));
      if (changed) {
        for (const o of options) o.selected = picked.includes(o);
        e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
        e.dispatchEvent(new Event("change", { bubbles: true }));
      }
      return { labels: picked.map((o) => collapse(o.label)), secret: hidden(e) };
    },

    // submit sends the form that the element is, or is in, as its own button does.
    submit() {
      const e = styled(this);
      const form = e instanceof HTMLFormElement ? e : e.form || e.closest("form");
      if (!form) return { fault: "no_form" };
      if (!form.noValidate && !form.checkValidity()) {
        const bad = [...form.elements].filter((c) => c.willValidate && !c.validity.valid);
        return { fault: "invalid", what: bad.slice(0, 5).map((c) => (c.labels && c.labels[0] ? collapse(c.labels[0].innerText) : c.name || c.localName) + ": " + c.validationMessage).join("; ") };
      }
      const sends = (c) => c && c.form === form && (c.type === "submit" || c.type === "image") && !c.disabled;
      const button = sends(e) ? e : [...form.elements].find(sends);
      form.requestSubmit(button || null);
      return {};
    },

    // focused says what has the focus of the document, and whether the document has that of
    // the page. heard says whether a key has come to the document since.
    focused() {
      heard = false;
      let e = document.activeElement;
      while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
      const has = document.hasFocus();
      if (!e || e === document.body) return { has, kind: "none" };
      if (e.localName === "iframe" || e.localName === "frame") return { has, kind: "frame" };
      return { has, kind: fillable(e) ? "text" : "control" };
    },

    heard() {
      return heard;
    },

    text(max) {
      const all = textOf(this === undefined || this === globalThis ? document.body || document.documentElement : styled(this));
      return { text: all.slice(0, max), total: all.length };
    },

    says(wanted) {
      return collapse(textOf(document.body || document.documentElement)).toLowerCase().includes(collapse(wanted).toLowerCase());
    },

    links(max) {
      const root = this === undefined || this === globalThis ? document : this, found = [];
      let total = 0;
      for (const e of elements(root)) {
        if ((e.localName !== "a" && e.localName !== "area") || !e.hasAttribute("href") || !visible(e)) continue;
        total++;
        if (found.length < max) found.push({ text: collapse(e.innerText || e.getAttribute("aria-label") || e.getAttribute("alt") || e.title).slice(0, 500), url: e.href.slice(0, 2048) });
      }
      return { links: found, total };
    },

    // rows reads the fields of rows: an element's text, or one of its attributes;
    // all of them where a field says so. What is not there is null.
    rows(fields, ...rows) {
      const out = [];
      for (const r of rows) {
        const e = styled(r), row = {};
        for (const [name, f] of Object.entries(fields)) {
          if (f.role) continue; // read from the accessibility tree
          let at = [e];
          if (f.css) at = [...elements(e)].filter((x) => x.matches(f.css));
          else if (f.test_id) at = [...elements(e)].filter((x) => x.getAttribute("data-testid") === f.test_id);
          else if (f.column) at = [cell(e, f.column)].filter((x) => x);
          if (f.all) row[name] = at.slice(0, 100).map((x) => read(x, f.attr));
          else if (at.length > 1) return { fault: name, row: out.length + 1, count: at.length };
          else row[name] = at.length ? read(at[0], f.attr) : null;
        }
        out.push(row);
      }
      return { rows: out };
    },

    shown() {
      return visible(styled(this));
    },

    // box is where the element is in its frame's view; origin where a frame's view
    // begins in that of the one it stands in.
    box() {
      const r = styled(this).getBoundingClientRect();
      return { x: r.left, y: r.top, w: r.width, h: r.height };
    },

    origin() {
      const r = this.getBoundingClientRect(), style = getComputedStyle(this);
      return { x: r.left + this.clientLeft + parseFloat(style.paddingLeft), y: r.top + this.clientTop + parseFloat(style.paddingTop) };
    },

    // state is what an assertion may be about.
    state() {
      const e = styled(this);
      const s = api.value.call(e);
      return { visible: visible(e), enabled: !disabled(e), editable: !!fillable(e) && !e.readOnly && !disabled(e), checked: s.checked ?? null, value: s.secret ? null : s.value ?? null, secret: !!s.secret, text: textOf(e).slice(0, 65536), focused: e.getRootNode().activeElement === e };
    },

    scroll(to, by) {
      const d = document.scrollingElement || document.documentElement, from = d.scrollTop;
      if (to === "top") d.scrollTo({ top: 0, behavior: "instant" });
      else if (to === "bottom") d.scrollTo({ top: d.scrollHeight, behavior: "instant" });
      else d.scrollBy({ top: by * innerHeight, behavior: "instant" });
      return { moved: Math.round(d.scrollTop - from), top: d.scrollTop <= 0, bottom: d.scrollTop + innerHeight >= d.scrollHeight - 1 };
    },

    named(by, wanted, exact) {
      return named(this === undefined || this === globalThis ? document : this, by, wanted, exact);
    },

    occurrences(wanted) {
      return places(spread(), wanted).found.length;
    },

    // showOccurrence selects the nth place of a text and scrolls to it. It answers with the words
    // around it.
    showOccurrence(wanted, nth) {
      const text = spread(), { found, length } = places(text, wanted), from = found[nth - 1];
      if (from === undefined) return "";
      const [first, start] = text.at[from], [last, end] = text.at[from + length - 1];
      const range = document.createRange();
      range.setStart(first, start);
      range.setEnd(last, end + 1);
      const s = getSelection();
      s.removeAllRanges();
      s.addRange(range);
      first.parentElement.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      return collapse(text.at.slice(Math.max(0, from - 60), from + length + 60).map((p) => (p ? p[0].data[p[1]] : " ")).join(""));
    },

    // zoom shows the document at a size, or at the next one. It answers with the size in percent.
    zoom(step, percent) {
      const d = document.documentElement, now = Math.round((parseFloat(getComputedStyle(d).zoom) || 1) * 100);
      let to = percent;
      if (step === "reset") to = 100;
      else if (step === "in") to = levels.find((l) => l > now) || now;
      else if (step === "out") to = levels.findLast((l) => l < now) || now;
      d.style.zoom = to === 100 ? "" : to / 100;
      return Math.round((parseFloat(getComputedStyle(d).zoom) || 1) * 100);
    },

    source() {
      return new XMLSerializer().serializeToString(document.doctype || document.createComment("")) + document.documentElement.outerHTML;
    },

    reveal() {
      styled(this).scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    },

    async tick() {
      await task();
      await task();
    },
  };
  globalThis.errand = api;
})();
