// npm run sdk: writes the generated half of sdk/ from the OpenAPI description of the program. Generators of others for TypeScript need
// its compiler as a library, which TypeScript 7 is not.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "@zhangfang/app-server/domains.ts";
import { openApiOf } from "@zhangfang/server/calls/openapi.ts";
import { ROOT } from "../run.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}
interface Operation {
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema; readonly in: string }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
  readonly responses: { readonly 200: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> } };
}

const PLAIN: Readonly<Record<string, string>> = { string: "string", number: "number", integer: "number", boolean: "boolean", null: "null" };
const several = (schemas: readonly Schema[], sign: string): string => `(${[...new Set(schemas.map(typeOf))].join(sign)})`;
/** A schema as a TypeScript type. @throws where it holds what no call has until now */
function typeOf(schema: Schema): string {
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return `(${schema.enum.map((value) => JSON.stringify(value)).join(" | ")})`;
  const { anyOf, oneOf, allOf, type } = schema;
  if (anyOf ?? oneOf) return several((anyOf ?? oneOf)!, " | ");
  if (allOf) return several(allOf, " & ");
  if (typeof type === "object")
    return several(
      type.map((one) => ({ ...schema, type: one })),
      " | ",
    );
  if (type === "array") return arrayOf(schema);
  if (type === "object") return objectOf(schema);
  if (type === undefined) return "unknown";
  const plain = PLAIN[type];
  if (!plain) throw new Error(`no type for ${JSON.stringify(schema).slice(0, 200)}`);
  return plain;
}
function arrayOf({ prefixItems, items }: Schema): string {
  if (prefixItems) return `readonly [${prefixItems.map(typeOf).join(", ")}]`;
  return `ReadonlyArray<${items ? typeOf(items) : "unknown"}>`;
}
function objectOf({ properties = {}, required = [], additionalProperties: more }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(field)}`,
  );
  if (typeof more === "object") fields.push(`[name: string]: ${fields.length > 0 ? "unknown" : typeOf(more)}`);
  return fields.length > 0 ? `{ ${fields.join("; ")} }` : "Record<string, never>";
}

const inputOf = ({ parameters, requestBody }: Operation): string => {
  const fields = parameters.map(({ name, required, schema }) => `${JSON.stringify(name)}${required ? "" : "?"}: ${typeOf(schema)}`);
  const body = requestBody?.content["application/json"].schema;
  if (!body) return fields.length > 0 ? `{ ${fields.join("; ")} }` : "{}";
  return typeOf(body);
};
const outputOf = ({ responses }: Operation): string => {
  const schema = responses[200].content["application/json"]?.schema;
  return schema ? typeOf(schema) : "Blob";
};

/** The generated files of the SDK, by name. */
export function sdkFiles(): { readonly "calls.d.ts": string; readonly "calls.js": string } {
  const { paths } = openApiOf(routes.map(({ endpoint }) => endpoint)) as { paths: Record<string, Record<string, Operation>> };
  const calls = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ call: `${verb.toUpperCase()} ${path}`, operation })),
  );
  const types = calls.map(
    ({ call, operation }) =>
      `  /** ${operation.summary} */\n  ${JSON.stringify(call)}: { input: ${inputOf(operation)}; output: ${outputOf(operation)} };`,
  );
  const inQuery = calls.filter(
    ({ call, operation }) => !call.startsWith("GET ") && !operation.requestBody && operation.parameters.length > 0,
  );
  return {
    "calls.d.ts": `// Made by npm run sdk.\nexport interface Calls {\n${types.join("\n")}\n}\n/** Calls whose input stands in the address although they change something. */\nexport declare const IN_QUERY: ReadonlySet<string>;\n`,
    "calls.js": `// Made by npm run sdk.\nexport const IN_QUERY = new Set(${JSON.stringify(inQuery.map(({ call }) => call))});\n`,
  };
}

/** Writes them into a folder. */
export function writeSdk(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(sdkFiles())) writeFileSync(join(folder, name), text);
}

if (import.meta.main) {
  writeSdk(join(ROOT, "sdk"));
  process.stdout.write("sdk: calls.d.ts, calls.js\n");
}
