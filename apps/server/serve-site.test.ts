import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "@zhangfang/domains/accounts/server/world-for-tests.ts";
import { openHttp } from "./http.ts";
import { doors, routes } from "./domains.ts";
import { serveWeb } from "./serve-web.ts";

let world: World;
let app: FastifyInstance;
beforeAll(async () => {
  world = await openWorld();
  const dist = mkdtempSync(join(tmpdir(), "site-web-"));
  mkdirSync(join(dist, "assets"));
  writeFileSync(join(dist, "index.html"), "<!doctype html><title>login</title>");
  app = await openHttp(world.services, doors, routes, { limits: false });
  await serveWeb(app, dist);
  const content = JSON.stringify({
    title: "<b>官网</b>",
    tagline: "",
    bannerUrl: null,
    sections: [],
    phone: "",
    email: "",
    address: "",
    icpNumber: "",
  });
  for (const [provider, root] of [
    ["sp01", false],
    ["sp02", true],
  ] as const)
    await world.truth(
      `insert into official_sites (service_provider_id, id, host, at_root, draft, published, published_at, created_at, updated_at)
       select id, gen_random_uuid(), hosts[1], $2, $3, $3, now(), now(), now() from service_providers where id = $1`,
      [world.tree.providers[provider], root, content],
    );
});
afterAll(async () => {
  await app.close();
  await world.close();
});
const get = (host: string, url: string) => app.inject({ method: "GET", url, headers: { host } });

test("a site is served to its own host at /site, with a policy that runs nothing, and its text is text", async () => {
  const answer = await get("hemu.example.com", "/site");
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  const policy = String(answer.headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/script-src|unsafe|\*|https?:/);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  expect(answer.body).toContain("<h1>&#60;b&#62;官网&#60;/b&#62;</h1>");
  expect((await get("hemu.example.com", "/site.css")).headers["content-type"]).toBe("text/css; charset=utf-8");
  for (const host of ["other.example.com", "localhost", "127.0.0.1:8080"]) expect((await get(host, "/site")).statusCode, host).toBe(404);
});

test("at / stands the login, but where the site was put there; the login is at /index.html everywhere", async () => {
  expect((await get("hemu.example.com", "/")).body).toContain("login");
  expect((await get("yunan.example.com", "/")).body).toContain("官网");
  expect((await get("yunan.example.com", "/?from=ad")).body).toContain("官网");
  expect((await get("yunan.example.com", "/index.html")).body).toContain("<title>login");
  expect((await get("localhost", "/")).body).toContain("<title>login");
  expect((await get("yunan.example.com", "/api/brand")).headers["content-type"]).toContain("application/json");
});
