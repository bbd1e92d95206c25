// A plugin. Each call starts this program: it reads a JSON object from standard
// input and writes one to standard output. Standard error is the log.

import { get, quote, text } from "./json";
import { readAll, write } from "./stdio";

const call = readAll();
// text(get(call, "tool")) is the name of the called tool; this plugin has only one.
write(greet(text(get(get(call, "args"), "name")).trim(), text(get(get(call, "config"), "greeting"))));

function greet(name: string, greeting: string): string {
  if (name.length == 0) {
    return '{"ok":false,"error":{"code":"no_name","message":"the name is empty","recoverable":true}}';
  }
  return '{"ok":true,"payload":{"text":' + quote(greeting + ", " + name + "!") + "}}";
}
