// A call of a WASI command: one JSON object comes on standard input, one goes to
// standard output, and standard error is the log.

import { serve } from "./answer.js";
import { readAll, write } from "./files.js";

export function start(tools) {
  const log = (...values) => write(2, values.map(String).join(" ") + "\n");
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  serve(tools, read, (answer) => write(1, JSON.stringify(answer)));
}

/** The call; the function of the tool my-plugin.read-page is read_page. */
function read() {
  const call = JSON.parse(readAll(0));
  return { ...call, tool: call.tool.slice(call.tool.indexOf(".") + 1).replace(/[^A-Za-z0-9]/g, "_") };
}
