// A plugin: each exported function is a tool. Its arguments are the input, its
// payload is the output, both JSON. What else the host offers is in host.ts.

import * as host from "./host";
import { get, quote, text } from "./json";

export function greet(): i32 {
  const name = text(get(host.input(), "name")).trim();
  if (name.length == 0) return host.fail("there is nobody to greet");
  return host.output('{"text":' + quote(host.config("greeting") + ", " + name + "!") + "}");
}
