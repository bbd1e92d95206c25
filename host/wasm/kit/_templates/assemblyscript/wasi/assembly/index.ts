// A plugin: each call runs this program anew. One JSON object comes on standard
// input, one goes to standard output; standard error is the log.

import { get, quote, text } from "./json";
import { readAll, write } from "./stdio";

const call = readAll();
// text(get(call, "tool")) says which of the plugin's tools; this one has one.
write(greet(text(get(get(call, "args"), "name")).trim(), text(get(get(call, "config"), "greeting"))));

function greet(name: string, greeting: string): string {
  if (name.length == 0) {
    return '{"ok":false,"error":{"code":"no_name","message":"there is nobody to greet","recoverable":true}}';
  }
  return '{"ok":true,"payload":{"text":' + quote(greeting + ", " + name + "!") + "}}";
}
