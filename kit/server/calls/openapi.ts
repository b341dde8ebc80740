import { z } from "zod";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";

/** The OpenAPI 3.1 description of all endpoints, from the same schemas that check the calls. */
export function openApiOf(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[endpoint.verb.toLowerCase()] = operationOf(endpoint);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "账房 API",
      version: "1",
      description: "每个请求带查询参数 _t（秒）；登录后带 Authorization: Bearer。新接口的错误为 problem+json。",
    },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        device: { type: "apiKey", in: "header", name: "x-signature" },
        member: { type: "apiKey", in: "cookie", name: "zf_member" },
      },
    },
    paths,
  };
}
function operationOf(endpoint: Endpoint): object {
  const input = schemaOf(endpoint.input, "input");
  const properties = Object.entries((input["properties"] ?? {}) as Record<string, object>);
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
  const required = (input["required"] ?? []) as string[];
  const parameter = (name: string, schema: object, where: string) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema,
  });
  const parameters = properties
    .filter(([name]) => inPath.includes(name) || endpoint.source === "query")
    .map(([name, schema]) => parameter(name, schema, inPath.includes(name) ? "path" : "query"));
  return {
    operationId: `${endpoint.verb.toLowerCase()}${endpoint.path.replaceAll(/[^A-Za-z0-9]+(\w)/g, (_all, letter: string) => letter.toUpperCase())}`,
    summary: endpoint.title,
    tags: [endpoint.path.split("/")[2] ?? "other"],
    security:
      endpoint.access === "public" || endpoint.access === "channel"
        ? []
        : endpoint.access === "device"
          ? [{ device: [] }]
          : endpoint.access === "member"
            ? [{ member: [] }]
            : [{ bearer: [] }],
    parameters,
    ...(endpoint.source !== "query" && properties.length > 0 && { requestBody: { content: { "application/json": { schema: input } } } }),
    responses: {
      200: {
        description: "成功",
        content: endpoint.envelope === "file" ? { "application/octet-stream": {} } : { "application/json": { schema: wrapped(endpoint) } },
      },
    },
    "x-access": endpoint.access,
  };
}
function wrapped(endpoint: Endpoint): object {
  if (endpoint.envelope === "file") return {};
  const output = schemaOf(endpoint.output, "output");
  return endpoint.envelope === "code-data" || endpoint.envelope === "status-data"
    ? { type: "object", properties: { code: { type: "integer" }, data: output, msg: { type: "string" } }, required: ["code", "msg"] }
    : output;
}
function schemaOf(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Record<string, unknown>;
}

/** A page without scripts that lists the calls. */
export function openApiPage(endpoints: readonly Endpoint[]): string {
  const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const rows = endpoints.map(
    (endpoint) =>
      `<tr><td>${endpoint.verb}</td><td><code>${escape(endpoint.path)}</code></td><td>${escape(endpoint.title)}</td><td>${escape([endpoint.access].flat().join(" "))}</td></tr>`,
  );
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>账房 API</title><h1>账房 API</h1><p><a href="/docs/openapi.json">OpenAPI 3.1</a></p><table><thead><tr><th>方法<th>路径<th>名称<th>权限</tr></thead><tbody>${rows.join("")}</tbody></table></html>`;
}
