import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "./run.ts";

// Every command that a page names, as it is written there: whoever reads it has the machine's own Node, which may be an older one.
// Run here: types, sdk. Started here with what they refuse, which shows that they start: new, restore, provider, bench, device-vendor, simulator, proofs.
// Run by other tests, as functions or over a copy of the tree: start (apps/demo/start.test.ts), new (tools/new*.test.ts), pack
// (apps/server/sdk.test.ts), coverage (tools/generated/coverage.test.ts).
// Looked at only, for they take minutes, need a database of their own or write into the tree: test, check, mutants, backup, pictures, docker,
// and everything behind a flag: the script is there, and knows the flags, proofs and parts of the bench that are named.
const PAGES = [
  "README.md",
  "docs/**/*.md",
  "apps/*/README.md",
  "bench/README.md",
  "domains/*/README.md",
  "kit/*/README.md",
  "sdk/README.md",
];
/** Programs print commands too, in their usage and in what they say is next. */
const PROGRAMS = ["tools/*.ts", "tools/{new,backup,tests,guides,generated}/*.ts", "bench/run.ts", "apps/*/main.ts"];

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
const temporary = mkdtempSync(join(tmpdir(), "zf-readme-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

interface Named {
  readonly where: string;
  readonly command: string;
}
const COMMAND = /^(?:[A-Z_]+=\S+ +)*(?:npm|npx|node|docker) /;
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const filesOf = (patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: ROOT })
    .filter((path) => !/node_modules|\.test\.ts$/.test(path))
    .toSorted();

/** Commands in fenced blocks, and between backticks. */
function namedIn(path: string): Named[] {
  const found: Named[] = [];
  let fenced = false;
  for (const [at, text] of read(path).split("\n").entries()) {
    const where = `${path}:${at + 1}`;
    if (text.startsWith("```")) fenced = !fenced;
    else if (fenced) found.push({ where, command: text.trim() });
    else found.push(...[...text.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => ({ where, command })));
  }
  return found.filter(({ command }) => COMMAND.test(command));
}
/** Commands in what a program prints: between quotes or after 用法. */
const printedBy = (path: string): Named[] =>
  [
    ...read(path)
      .replaceAll(/^\/\/.*$/gm, "")
      .matchAll(/(?:npm run|node (?=[\w./-]+\.m?[jt]s\b))[^"`|\n\\，。）]*/g),
  ].map(([command]) => ({ where: path, command: command.replace(/\.$/, "") }));

/** A command without what is said of it. */
const wordsOf = (command: string): string[] =>
  command
    .replace(/^(?:[A-Z_]+=\S+ +)+/, "")
    .split(/\s{2,}(?!\S+ *<)|\s#|\s</)[0]!
    .trim()
    .split(/\s+/);

/** What is wrong with a command; nothing where whatever it names is there. */
function wrongWith({ command }: Named): string | undefined {
  const [program, first = "", ...rest] = wordsOf(command);
  if (program === "docker") return existsSync(join(ROOT, "compose.yaml")) ? undefined : "there is no compose.yaml";
  if (program === "npx") return "names what the project does not install";
  if (program === "node") {
    if (!existsSync(join(ROOT, first))) return `${first} is not there`;
    return first.endsWith(".ts") ? "an older Node can't run TypeScript: name an npm script" : undefined;
  }
  const [name = "", ...given] = first === "run" ? rest : [first, ...rest];
  const script = scripts[name];
  if (["install", "ci", "pack"].includes(first)) return undefined;
  if (script === undefined) return `there is no script ${name}`;
  const file = script.split(" ").findLast((word) => /\.m?[jt]s$/.test(word));
  if (!file || !existsSync(join(ROOT, file))) return `${script} names no file that is there`;
  const source = read(file);
  const unknown = given
    .filter((word) => /^--\w/.test(word))
    .find((flag) => !source.includes(flag) && !new RegExp(`["\\s]?${flag.slice(2)}"?:`).test(source));
  const part = unknown ?? namedParts(name, given).find((word) => !new RegExp(`^ +"?${word}"?(?::|,$)`, "m").test(source));
  return part === undefined ? undefined : `${file} knows no ${part}`;
}
/** Proofs by their name, parts of the bench by theirs. */
function namedParts(script: string, given: readonly string[]): readonly string[] {
  if (script === "proofs") return given.filter((word) => /^\w/.test(word));
  const only = script === "bench" ? given.indexOf("--only") : -1;
  return only < 0 ? [] : (given[only + 1] ?? "").split(",").filter((word) => /^[\w-]+$/.test(word));
}

test("every command that a page names is there, and can be run with an older Node", () => {
  const named = filesOf(PAGES).flatMap(namedIn);
  expect(named.length).toBeGreaterThan(15);
  expect(named.flatMap((one) => wrongWith(one)?.replace(/^/, `${one.where}: ${one.command}: `) ?? [])).toEqual([]);
});

test("and so is every command that a program prints", () => {
  const named = filesOf(PROGRAMS).flatMap(printedBy);
  expect(named.length).toBeGreaterThan(5);
  expect(named.flatMap((one) => wrongWith(one)?.replace(/^/, `${one.where}: ${one.command}: `) ?? [])).toEqual([]);
});

/** As a reader runs it: without the project's own programs in the path. */
function asReader(...args: string[]) {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const { status, stdout, stderr } = spawnSync("npm", ["run", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 80_000,
    env: { ...process.env, PATH: path.join(delimiter) },
  });
  return { status, said: stdout + stderr };
}

test("npm run types writes the types of the tables, and those that are kept are these", () => {
  const file = join(temporary, "types.gen.ts");
  const { status, said } = asReader("types", "--", file);
  expect(status, said).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(read("kit/server/database/types.gen.ts"));
});

test("npm run sdk writes the calls of the SDK", () => {
  const files = ["calls.d.ts", "calls.js"].map((name) => join(ROOT, "sdk", name));
  const before = files.filter((file) => existsSync(file));
  const { status, said } = asReader("sdk");
  expect(status, said).toBe(0);
  expect(readFileSync(files[0]!, "utf8")).toContain('"POST /api/authenticateNew"');
  for (const file of files) if (!before.includes(file)) rmSync(file);
});

// The long ones are asked for what they do not know: they start, say how they are called, and change nothing.
test.each([
  ["new", []],
  ["restore", []],
  ["provider", []],
  ["bench", ["--only", "nothing"]],
  ["device-vendor", ["nobody"]],
  ["simulator", ["--port", "none"]],
  ["proofs", ["nothing"], "there are mutants"],
])("npm run %s starts on this machine and says how it is called", (name, args, usage = "用法") => {
  const { status, said } = asReader(name, "--", ...args);
  expect(status).not.toBe(0);
  expect(said).toContain(usage);
});
