// Each exported function is a tool: it gets the arguments and the call, and returns the
// payload.

import { PluginError } from "../engine/answer.js";

export function greet({ name }, { config }) {
  if (name.trim() === "") throw new PluginError("no_name", "there is nobody to greet");
  return { text: `${config.greeting}, ${name.trim()}!` };
}
