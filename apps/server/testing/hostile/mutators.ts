import type { Given } from "../matrix/policy.ts";
import type { Request } from "../world.ts";

/** What no field wants. In an address everything travels as text. */
export const HOSTILE: readonly (readonly [name: string, value: unknown])[] = [
  ["nothing", ""],
  ["a blank", " "],
  ["NUL", "a\u0000b"],
  ["half a surrogate pair", "\ud800"],
  ["right to left", "\u202e文"],
  ["zero width", "\u200b\ufeff"],
  ["8 kB", "长".repeat(2_700)],
  ["100 kB", "x".repeat(100_000)],
  ["SQL", `' or 1=1; drop table users; --"`],
  ["per cent", "%_%"],
  ["a backslash at the end", "abcd\\"],
  ["an open bracket", "(["],
  ["templates", "${7*7}{{7*7}}"],
  ["a path", "../../../../etc/passwd"],
  ["a script", "javascript:alert(1)<script>"],
  ["full-width digits", "１２３４"],
  ["decomposed", "e\u0301\u0301"],
  ["a family", "👨‍👩‍👧‍👦"],
  ["minus one", -1],
  ["zero", 0],
  ["1e308", 1e308],
  ["NaN", "NaN"],
  ["beyond what is exact", 9_007_199_254_740_992],
  ["beyond bigint", "9223372036854775808"],
  ["hexadecimal", "0x10"],
  ["half a cent", 1.5],
  ["true", true],
  ["null", null],
  ["a list", []],
  ["a list of lists", [[["a"]]]],
  ["an object", { a: { b: 1 } }],
  ["an id of nothing", "01a1f71c-7600-7000-8000-0123456789ab"],
  ["no day", "2024-02-30"],
  ["a far day", "999999-01-01"],
  ["day zero", "0000-00-00"],
  ["seconds", "1732000000"],
  ["missing", undefined],
];

/** One request gone wrong, and how. */
export interface Mutant {
  readonly how: string;
  readonly request: Request;
}
const NESTED = 100_000;
const MANY = 10_000;
const CONTENT_TYPES = [
  "application/json\t",
  "application/json;charset=utf-16",
  "application/json garbage",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/xml",
  "*/*",
  "\u00ff",
];
const TAILS = [
  "&_t=1&_t=2",
  "&x=%E0%A4%A",
  "&%=%",
  "&x=%00",
  "&x[a][b]=1",
  "&__proto__=1&constructor=2",
  `&${"x".repeat(7_000)}=1`,
  "#/x",
  "&&&===",
  "?x=1",
];
const VERBS = ["HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PATCH", "POST", "GET", "SEARCH"];

/** Every way in which a request that works is spoilt; `more` are fields that it may carry besides. */
export function* mutantsOf(
  route: string,
  given: Given,
  more: Readonly<Record<string, string>>,
  known: ReadonlySet<string>,
): Generator<Mutant> {
  const [verb = "", path = ""] = route.split(" ");
  const request: Request = { verb, path, ...given };
  for (const name of Object.keys(given.params ?? {})) {
    for (const [how, value] of HOSTILE)
      yield { how: `${name} is ${how}`, request: { ...request, params: { ...given.params, [name]: textOf(value) } } };
  }
  for (const name of Object.keys({ ...given.query, ...(verb === "GET" ? more : {}) })) {
    for (const [how, value] of HOSTILE)
      yield { how: `${name} is ${how}`, request: { ...request, query: { ...given.query, [name]: textOf(value) } } };
  }
  if (verb === "GET" && more["from"])
    yield { how: "a range backwards", request: { ...request, query: { ...given.query, from: "2026-11-20", to: "2026-11-01" } } };
  const body = given.body;
  if (typeof body === "object" && body !== null)
    yield* bodiesGoneWrong(request, body as Record<string, unknown>, verb === "GET" ? {} : more);
  for (const tail of TAILS) yield { how: `address with ${tail.slice(0, 20)}`, request: { ...request, tail } };
  for (const other of VERBS) if (!known.has(`${other} ${path}`)) yield { how: `asked with ${other}`, request: { ...request, verb: other } };
}
const textOf = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed().slice(0, 7_000);

function* bodiesGoneWrong(request: Request, body: Record<string, unknown>, more: Readonly<Record<string, string>>): Generator<Mutant> {
  for (const name of Object.keys({ ...body, ...more })) {
    for (const [how, value] of HOSTILE) yield { how: `${name} is ${how}`, request: { ...request, body: { ...body, [name]: value } } };
    if (Array.isArray(body[name]))
      yield {
        how: `${name} holds 20,000`,
        request: { ...request, body: { ...body, [name]: Array.from({ length: 20_000 }, (_none, n) => n) } },
      };
  }
  const text = JSON.stringify(body);
  const inside = text.slice(1);
  const rest = inside === "}" ? inside : `,${inside}`;
  const raws: readonly (readonly [string, string | Buffer])[] = [
    ["null", "null"],
    ["a list", `[${text}]`],
    ["a text", `"${"a".repeat(10)}"`],
    ["a number", "1"],
    ["cut off", text.slice(0, -1)],
    ["twice", text + text],
    ["a byte-order mark first", `\ufeff${text}`],
    ["no UTF-8", Buffer.concat([Buffer.from(`{"x":"`), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from(`"${rest}`)])],
    ["another __proto__", `{"__proto__":{"level":"ADMIN"}${rest}`],
    ["another constructor", `{"constructor":{"prototype":{"level":"ADMIN"}}${rest}`],
    ["an infinite number", `{"x":1e999${rest}`],
    ["100,000 deep", `{"x":${"[".repeat(NESTED)}${"]".repeat(NESTED)}${rest}`],
    ["60 deep", `{"x":${"[".repeat(60)}${"]".repeat(60)}${rest}`],
    ["10,000 keys", `{${Array.from({ length: MANY }, (_none, n) => `"k${n}":1`).join(",")}${rest}`],
    ["comments", `/* */${text}`],
    ["300 kB", `{"x":"${"x".repeat(300_000)}"${rest}`],
    ["more than is known", `{"isAdmin":true,"service_provider_id":"x"${rest}`],
    ...Object.keys(body)
      .slice(0, 1)
      .map((name): [string, string] => ["a key twice", `{"${name}":null${rest}`]),
  ];
  for (const [how, raw] of raws) yield { how: `body is ${how}`, request: { ...request, raw } };
  for (const type of CONTENT_TYPES)
    yield { how: `content-type ${type}`, request: { ...request, headers: { ...request.headers, "content-type": type } } };
  yield { how: "no body", request: { ...request, body: undefined, headers: { "content-type": "application/json" } } };
}
