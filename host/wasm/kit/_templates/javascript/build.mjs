// Builds the plugin: node build.mjs OUTPUT. `errand plugin build` runs it.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";

const folder = path.dirname(fileURLToPath(import.meta.url));
const at = (...names) => path.join(folder, ...names);
const read = (...names) => fs.readFileSync(path.join(...names), "utf8");
const output = path.resolve(process.argv[2] ?? at("plugin.wasm"));

// The names that engine.wat imports are those of this version.
const quickjs = at("node_modules", "@jitl", "quickjs-wasmfile-release-sync");
const { version } = JSON.parse(read(quickjs, "package.json"));
if (version !== "0.32.0") throw new Error(`engine/engine.wat is for version 0.32.0 of QuickJS, not ${version}`);

const engine = read(folder, "engine", "engine.wat").split("\n");
const abi = read(folder, "engine", "abi.wat").split("\n");

// Operations of host() that are imports have their numbers behind these.
const operation = (line) => /"(\w+)" \(func .* ;; host\((\d+)\)$/.exec(line)?.slice(1);
const operations = Object.fromEntries([...engine, ...abi].map(operation).filter(Boolean));

const { program, tools } = bundle();
const used = new Set([...program.matchAll(/\bhost\((\d+)/g)].map(([, number]) => number));
write(join([...imports([...engine, ...abi]), ...[...engine, ...abi].filter((line) => !isImport(line)), ...texts()]));

/** Makes one script of the sources and of all that they import. */
function bundle() {
  const entry = ["src/index.ts", "src/index.js"].find((name) => fs.existsSync(at(name)));
  if (entry === undefined) throw new Error("there is no src/index.js or src/index.ts");
  const define = Object.fromEntries(Object.entries(operations).map(([name, number]) => ["op." + name, number]));
  const options = { bundle: true, target: "es2023", platform: "neutral", mainFields: ["module", "main"], write: false, absWorkingDir: folder, define };
  const contents = `import * as tools from "./${entry}"; import { start } from "./engine/abi.js"; start(tools);`;
  try {
    const { metafile } = esbuild.buildSync({ ...options, entryPoints: [entry], format: "esm", metafile: true, outfile: "index.js" });
    const { outputFiles } = esbuild.buildSync({ ...options, stdin: { contents, resolveDir: folder, sourcefile: "plugin.js" }, format: "iife" });
    return { program: outputFiles[0].text, tools: metafile.outputs["index.js"].exports };
  } catch {
    process.exit(1); // esbuild has written why
  }
}

function isImport(line) {
  return line.startsWith("(import");
}

/** The imports, without the operations that the program does not use. */
function imports(lines) {
  const short = new Map([...read(quickjs, "dist", "emscripten-module.mjs").matchAll(/_(\w+)=b\.([\w$]+)/g)].map(([, name, is]) => [name, is]));
  const found = lines.filter(isImport).map((line) => line.replace(/"engine" "(\w+)"/, (_, name) => `"engine" "${short.get(name) ?? name}"`));
  const unused = (line) => abi.includes(line) && operation(line) !== undefined && !used.has(operation(line)[1]);
  const stub = (line) => line.replace(/^\(import "[^"]*" "[^"]*" /, "").replace(/\)\) ;;.*/, " unreachable)");
  return [...found.filter((line) => !unused(line)), ...found.filter(unused).map(stub)];
}

/** The texts of the module, with the script, and an exported function for each tool of a library. */
function texts() {
  const lines = [];
  const bytes = [];
  let length = 0;
  const add = (name, text) => {
    const encoded = Buffer.from(text);
    lines.push(`(global $${name}At i32 (i32.const ${length}))`, `(global $${name}Length i32 (i32.const ${encoded.length}))`);
    bytes.push(encoded, Buffer.from([0]));
    length += encoded.length + 1;
  };
  add("host", "host");
  add("name", "plugin.js");
  add("program", program);
  add("run", "run()");
  add("ended", "ended()");
  if (abi.some((line) => line.startsWith("(func $call "))) {
    for (const [i, tool] of tools.entries()) {
      add(`tool${i}`, `run(${JSON.stringify(tool)})`);
      lines.push(`(func (export ${JSON.stringify(tool)}) (result i32) (call $call (global.get $tool${i}At) (global.get $tool${i}Length)))`);
    }
  }
  const data = [...Buffer.concat(bytes)].map((byte) => "\\" + byte.toString(16).padStart(2, "0")).join("");
  return [...lines, `(global $textsLength i32 (i32.const ${length}))`, `(data $texts "${data}")`];
}

/** Joins a module's text and the engine. Only the tools stay callable from outside. */
function join(lines) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "plugin-"));
  const temporary = (name) => path.join(dir, name);
  const features = ["bulk-memory", "mutable-globals", "multivalue", "nontrapping-float-to-int", "reference-types", "sign-ext"];
  const run = (program, ...args) => {
    const all = [at("node_modules", "binaryen", "bin", program), "-g", ...features.map((name) => "--enable-" + name), ...args];
    execFileSync(process.execPath, all, { stdio: ["ignore", "ignore", "inherit"] });
  };
  try {
    fs.writeFileSync(temporary("plugin.wat"), `(module\n${lines.join("\n")}\n)`);
    run("wasm-as", temporary("plugin.wat"), "-o", temporary("plugin.wasm"));
    run("wasm-merge", path.join(quickjs, "dist", "emscripten-module.wasm"), "engine", temporary("plugin.wasm"), "a", "-o", temporary("whole.wasm"));
    const kept = ["memory", "_start", "_initialize", ...tools].map((name) => ({ name, export: name, root: true }));
    fs.writeFileSync(temporary("kept.json"), JSON.stringify(kept));
    run("wasm-metadce", temporary("whole.wasm"), "-f", temporary("kept.json"), "-o", temporary("small.wasm"));
    return fs.readFileSync(temporary("small.wasm"));
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
}

function write(module) {
  fs.writeFileSync(output, module);
}
