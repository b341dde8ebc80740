import { expect, test } from "vitest";
import { openApiOf } from "@zhangfang/server/calls/openapi.ts";
import { routes } from "./domains.ts";
import { POLICIES } from "./testing/matrix/policies.ts";

const nameOf = ({ endpoint }: (typeof routes)[number]) => `${endpoint.verb} ${endpoint.path}`;

test("each route of a domain has one row in the table of permissions, and no row names a route that is gone", () => {
  const rows = POLICIES.map(({ route }) => route as string);
  expect(rows.length).toBe(new Set(rows).size);
  expect(routes.length).toBeGreaterThan(400);
  expect(routes.map(nameOf).filter((route) => !rows.includes(route))).toEqual([]);
  // What the app answers itself: the site, its health, the documentation.
  const own = rows.filter((row) => !routes.some((route) => nameOf(route) === row));
  expect(
    own.filter(
      (row) => !/^GET \/(site(\.css)?|g\/:code|wechat\/authorised\/:state|healthz|readyz|metrics|docs(\/openapi\.json)?)$/.test(row),
    ),
  ).toEqual([]);
});

test("a list's row says what each caller must see, or why it does not", () => {
  const lists = routes.filter(({ endpoint }) => "cursor" in ((endpoint.input as { readonly shape?: object }).shape ?? {}));
  expect(lists.length).toBeGreaterThan(50);
  const silent = lists.map(nameOf).filter((route) => {
    const row = POLICIES.find((policy) => policy.route === route);
    return !row?.model === !row?.noModel;
  });
  expect(silent).toEqual([]);
});

test("the description of the API has every route, with what goes in and what comes out", () => {
  interface Operation {
    readonly parameters: readonly { readonly name: string }[];
    readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: { readonly properties: object } } } };
    readonly responses: { readonly 200: { readonly content: Readonly<Record<string, { readonly schema?: object }>> } };
  }
  const { paths } = openApiOf(routes.map(({ endpoint }) => endpoint)) as { paths: Record<string, Record<string, Operation>> };
  const untold = routes.filter(({ endpoint: { path, verb, input, envelope } }) => {
    const told = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[verb.toLowerCase()];
    const names = [
      ...(told?.parameters ?? []).map(({ name }) => name),
      ...Object.keys(told?.requestBody?.content["application/json"].schema.properties ?? {}),
    ];
    const answer = Object.values(told?.responses[200].content ?? {})[0];
    return (
      Object.keys((input as { readonly shape?: object }).shape ?? {}).some((name) => !names.includes(name)) ||
      answer === undefined ||
      (envelope !== "file" && answer.schema === undefined)
    );
  });
  expect(untold.map(nameOf)).toEqual([]);
});
