// A plugin by Extism's AssemblyScript PDK, and by that PDK's imports where it has
// no more than those.
import { Config, Host, LogLevel, Memory, Var } from "@extism/as-pdk";
import { error_set, http_request, length } from "@extism/as-pdk/lib/env";

let calls = 0;

export function run(): i32 {
  const input = Host.inputString();
  if (input == "fail") {
    error_set(Memory.allocateString("it failed").offset);
    return 1;
  }
  let greeting = Config.get("greeting");
  if (greeting === null) greeting = "hello";
  calls++;
  const before = Var.getString("n");
  const n = (before === null ? 0 : I32.parseInt(before)) + 1;
  Var.set("n", Uint8Array.wrap(String.UTF8.encode(n.toString())));
  Host.log(LogLevel.Info, "ran");
  Host.outputString(greeting + ", " + input + "! var " + n.toString() + ", calls " + calls.toString());
  return 0;
}

export function echo(): i32 {
  Host.output(Host.input());
  return 0;
}

export function fetch(): i32 {
  const request = Memory.allocateString(
    '{"url":"' + Host.inputString() + '","method":"POST","headers":{"X-Test":7}}',
  );
  const answer = http_request(request.offset, Memory.allocateString("sent").offset);
  Host.outputString("200 " + new Memory(answer, length(answer)).toString());
  return 0;
}

export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  unreachable();
}
