import { parentPort } from "node:worker_threads";
import { pathToFileURL } from "node:url";

/** What an export of a contract is, in words that travel between threads. */
export type Export =
  | { readonly kind: "endpoint"; readonly value: Record<string, unknown> }
  /** Endpoints that go together, each by its name among them. */
  | { readonly kind: "endpoints"; readonly of: Record<string, Record<string, unknown>> }
  | { readonly kind: "labelled"; readonly entries: unknown }
  | { readonly kind: "constant"; readonly json: string }
  | { readonly kind: "function" }
  | { readonly kind: "schema" };

function describe(value: unknown): Export {
  if (typeof value === "function") return { kind: "function" };
  if (value !== null && typeof value === "object") {
    if ("kind" in value && value.kind === "labelled" && "entries" in value) return { kind: "labelled", entries: value.entries };
    if (isEndpoint(value)) return { kind: "endpoint", value: light(value) };
    const parts = Object.entries(value).flatMap(([name, part]: [string, unknown]) =>
      isEndpoint(part) ? [[name, light(part)] as const] : [],
    );
    if (parts.length > 0 && parts.length === Object.keys(value).length) return { kind: "endpoints", of: Object.fromEntries(parts) };
  }
  const json = plainJson(value);
  return json === undefined ? { kind: "schema" } : { kind: "constant", json };
}

const isEndpoint = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && "path" in value && "envelope" in value && "verb" in value;
function light({ input: _input, output: _output, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}

/** The JSON of a value that is nothing but data; undefined for schemas and anything with behaviour inside. */
function plainJson(value: unknown): string | undefined {
  const plain = (given: unknown): boolean =>
    given === null ||
    ["string", "number", "boolean"].includes(typeof given) ||
    (Array.isArray(given) && given.every(plain)) ||
    (typeof given === "object" && Object.getPrototypeOf(given) === Object.prototype && Object.values(given).every(plain));
  return plain(value) ? JSON.stringify(value) : undefined;
}

parentPort?.on("message", ({ id, file }: { id: number; file: string }) => {
  import(pathToFileURL(file).href).then(
    (module: Record<string, unknown>) => {
      const found = Object.fromEntries(Object.entries(module).map(([name, value]) => [name, describe(value)]));
      parentPort?.postMessage({ id, found });
    },
    (reason: unknown) =>
      parentPort?.postMessage({ id, failure: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason) }),
  );
});
