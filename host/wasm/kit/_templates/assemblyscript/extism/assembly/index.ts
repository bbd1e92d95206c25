// A plugin: each exported function is a tool. Its arguments are the input, its
// payload is the output, both JSON. Other functions of the host are in host.ts.

import * as host from "./host";
import { get, quote, text } from "./json";

export function greet(): i32 {
  const name = text(get(host.input(), "name")).trim();
  if (name.length == 0) return host.fail("the name is empty");
  return host.output('{"text":' + quote(host.config("greeting") + ", " + name + "!") + "}");
}
