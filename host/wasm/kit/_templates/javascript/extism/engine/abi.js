// A call of an Extism plugin: the arguments are the input, the payload is the output,
// both JSON.

import { serve } from "./answer.js";
import { config, error, fail, info, input, output, warn } from "./host.js";

export function start(tools) {
  const log = (write) => (...values) => write(values.map(String).join(" "));
  globalThis.console = { log: log(info), info: log(info), debug: log(info), warn: log(warn), error: log(error) };
  const settings = new Proxy({}, { get: (_, key) => config(key) });
  serve(tools, () => ({ args: JSON.parse(input() || "{}"), config: settings }), (answer) => {
    if (answer.ok) output(JSON.stringify(answer.payload));
    else fail(answer.error.message);
  });
}
