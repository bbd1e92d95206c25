// A small JSON reader that needs only the compiler.

/** Returns the value of a key in a JSON object, as JSON, or "". */
export function get(json: string, key: string): string {
  const r = new Reader(json);
  if (!r.take("{")) return "";
  do {
    const name = r.text();
    if (!r.take(":")) return "";
    const from = r.at;
    r.skip();
    if (name == key) return json.substring(from, r.at).trim();
  } while (r.take(","));
  return "";
}

/** Returns the text of a JSON string, or "". */
export function text(json: string): string {
  return new Reader(json).text();
}

/** Returns a text as a JSON string. */
export function quote(text: string): string {
  let out = '"';
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c == 0x22 || c == 0x5c) out += "\\" + text.charAt(i);
    else if (c < 0x20) out += "\\u" + c.toString(16).padStart(4, "0");
    else out += text.charAt(i);
  }
  return out + '"';
}

class Reader {
  at: i32 = 0;

  constructor(private json: string) {}

  private space(): void {
    while (this.at < this.json.length && this.json.charCodeAt(this.at) <= 0x20) this.at++;
  }

  take(c: string): bool {
    this.space();
    if (this.json.charAt(this.at) != c) return false;
    this.at++;
    return true;
  }

  /** Reads a string; returns "" if there is none. */
  text(): string {
    if (!this.take('"')) return "";
    let out = "";
    while (this.at < this.json.length) {
      const c = this.json.charAt(this.at++);
      if (c == '"') break;
      if (c != "\\") {
        out += c;
        continue;
      }
      const escape = this.json.charAt(this.at++);
      if (escape == "n") out += "\n";
      else if (escape == "t") out += "\t";
      else if (escape == "r") out += "\r";
      else if (escape == "b") out += "\b";
      else if (escape == "f") out += "\f";
      else if (escape == "u") {
        out += String.fromCharCode(<i32>parseInt(this.json.substr(this.at, 4), 16));
        this.at += 4;
      } else out += escape;
    }
    return out;
  }

  /** Skips one value. */
  skip(): void {
    this.space();
    let depth = 0;
    while (this.at < this.json.length) {
      const c = this.json.charAt(this.at);
      if (c == '"') {
        this.text();
        if (depth == 0) return;
        continue;
      }
      const closes = c == "}" || c == "]";
      if (depth == 0 && (closes || c == ",")) return;
      this.at++;
      if (c == "{" || c == "[") depth++;
      else if (closes && --depth == 0) return;
    }
  }
}
