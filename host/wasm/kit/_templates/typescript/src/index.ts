// Each exported function is a tool: it gets the arguments and the call, and returns the
// payload.

import { PluginError } from "../engine/answer.js";

interface Call {
  config: { greeting: string };
}

export function greet({ name }: { name: string }, { config }: Call): { text: string } {
  if (name.trim() === "") throw new PluginError("no_name", "there is nobody to greet");
  return { text: `${config.greeting}, ${name.trim()}!` };
}
