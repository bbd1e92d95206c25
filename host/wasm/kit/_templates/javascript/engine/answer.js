/** An error that the plugin explains. code is for programs, and hint says what to do. */
export class PluginError extends Error {
  constructor(code, message, hint) {
    super(message);
    Object.assign(this, { code, hint });
  }
}

/** Makes run(), which calls a tool and gives its answer to done, and ended(), which follows it. */
export function serve(tools, read, done) {
  let waiting;
  const finish = (answer) => {
    waiting = false;
    done(answer);
  };
  globalThis.run = async (name) => {
    waiting = true;
    finish(await answer(tools, read, name));
  };
  globalThis.ended = () => {
    if (waiting) finish(failure(new Error("it waits for a promise that nothing resolves")));
  };
}

async function answer(tools, read, name) {
  try {
    const { tool = name, args, ...call } = read();
    if (typeof tools[tool] !== "function") throw new Error(`the sources export no function ${tool}`);
    return { ok: true, payload: (await tools[tool](args, call)) ?? null };
  } catch (error) {
    return failure(error);
  }
}

/** The answer of a call that failed. The log has where. */
function failure(error) {
  if (error instanceof PluginError) {
    return { ok: false, error: { code: error.code, message: error.message, hint: error.hint, recoverable: true } };
  }
  console.error(`${error}\n${String(error?.stack ?? "").split("\n").slice(0, 10).join("\n")}`);
  return { ok: false, error: { code: "failed", message: String(error), recoverable: false } };
}
