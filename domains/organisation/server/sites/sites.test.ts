import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { addPicture, addSite, getSite, listSiteHosts, listSites, publishSite, updateSite, type SiteContent } from "../../contract/index.ts";
import { renderSite, sitePage } from "./render-site.ts";

let world: World;
let tokens: Record<"admin" | "sp01" | "sp02" | "mch01", string>;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await world.truth("delete from official_sites");
  const of = async (login: keyof typeof tokens) => [login, await world.signIn(login)] as const;
  tokens = Object.fromEntries(await Promise.all((["admin", "sp01", "sp02", "mch01"] as const).map(of))) as typeof tokens;
});
const CONTENT: SiteContent = {
  title: "禾木智慧商业",
  tagline: "让每家小店收得到钱",
  bannerUrl: null,
  sections: [{ title: "我们做什么", text: "收款。\n\n对账。" }],
  phone: "028-88886666",
  email: "hi@hemu.example.com",
  address: "成都市锦江区",
  icpNumber: "蜀ICP备2021000001号",
};
const add = (more: object = {}) =>
  world.call(addSite, tokens.sp01, {
    requestId: randomUUID(),
    host: "hemu.example.com",
    atRoot: false,
    content: CONTENT,
    ...more,
  });
const shown = (host = "hemu.example.com", atRoot = false) => renderSite(world.services, host, atRoot);

test("a site is a draft until it is published; an edit waits for the next publishing; off the air nobody sees it", async () => {
  const { id } = await add();
  expect(await shown()).toBeUndefined();
  await world.call(publishSite, tokens.sp01, { id, version: 1, published: true });
  expect(await shown("HEMU.example.com")).toContain("<h1>禾木智慧商业</h1>");
  expect(await shown("hemu.example.com", true)).toBeUndefined();
  await world.call(updateSite, tokens.sp01, { id, version: 2, atRoot: true, content: { ...CONTENT, title: "改了标题" } });
  expect(await shown("hemu.example.com", true)).not.toContain("改了标题");
  expect((await world.call(listSites, tokens.sp01, {})).items).toMatchObject([{ id, state: "published", changed: true, atRoot: true }]);
  expect((await world.refused(publishSite, tokens.sp01, { id, version: 2, published: true })).status).toBe(409);
  await world.call(publishSite, tokens.sp01, { id, version: 3, published: true });
  expect(await shown()).toContain("改了标题");
  await world.call(publishSite, tokens.sp01, { id, version: 4, published: false });
  expect(await shown()).toBeUndefined();
});

test("a site stands at the provider's own domain names alone, one at each, and goes with them and with the provider", async () => {
  expect((await world.call(listSiteHosts, tokens.sp01, {})).map(({ host }) => host)).toEqual(["hemu.example.com"]);
  expect(
    (
      await world.refused(addSite, tokens.sp01, {
        requestId: randomUUID(),
        host: "yunan.example.com",
        atRoot: false,
        content: CONTENT,
      })
    ).fields,
  ).toHaveProperty("host");
  const { id } = await add();
  expect(
    (
      await world.refused(addSite, tokens.admin, {
        requestId: randomUUID(),
        host: "hemu.example.com",
        atRoot: false,
        content: CONTENT,
      })
    ).status,
  ).toBe(400);
  await world.call(publishSite, tokens.sp01, { id, version: 1, published: true });
  const provider = world.tree.providers.sp01;
  for (const [off, on] of [
    ["state = 'disabled'", "state = 'active'"],
    ["hosts = '{}'", "hosts = '{hemu.example.com}'"],
  ] as const) {
    await world.truth(`update service_providers set ${off} where id = $1`, [provider]);
    expect(await shown(), off).toBeUndefined();
    await world.truth(`update service_providers set ${on} where id = $1`, [provider]);
    expect(await shown(), on).toBeDefined();
  }
  for (const host of ["", "evil.com", "hemu.example.com.evil.com", "hemu.example.com:8080"]) expect(await shown(host)).toBeUndefined();
});

test("other providers find nothing, and nobody below a provider comes near", async () => {
  const { id } = await add();
  expect((await world.refused(getSite, tokens.sp02, { id })).status).toBe(404);
  expect((await world.refused(updateSite, tokens.sp02, { id, version: 1, atRoot: false, content: CONTENT })).status).toBe(404);
  expect((await world.refused(publishSite, tokens.sp02, { id, version: 1, published: true })).status).toBe(404);
  expect((await world.call(listSites, tokens.sp02, {})).items).toEqual([]);
  expect((await world.refused(listSites, tokens.mch01, {})).status).toBe(403);
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const { url } = await world.call(addPicture, tokens.sp02, { serviceProviderId: world.tree.providers.sp02, base64: png });
  expect(
    (await world.refused(updateSite, tokens.sp01, { id, version: 1, atRoot: false, content: { ...CONTENT, bannerUrl: url } })).status,
  ).toBe(400);
});

const PAYLOADS = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  "</title><script>alert(1)</script>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "javascript:alert(1)",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "<!--><script>alert(1)</script-->",
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '\u2028<math><mi xlink:href="javascript:alert(1)">',
];
test.each(PAYLOADS)("what somebody types is text and nothing else: %s", (payload) => {
  const plain: SiteContent = {
    ...CONTENT,
    title: "·",
    tagline: "·",
    sections: [{ title: "·", text: "·" }],
    address: "·",
    icpNumber: "·",
    phone: "·",
    email: "·",
    bannerUrl: "·",
  };
  const typed = JSON.parse(JSON.stringify(plain).replaceAll('"·"', JSON.stringify(payload))) as SiteContent;
  const page = sitePage(typed, { name: payload, logoUrl: payload });
  const tags = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/ (?:content|href|src)="[^"]*"/g, ""));
  // The same tags as for a dot, so that no text has become one; and no address but ours.
  expect(tags(page)).toEqual(tags(sitePage(plain, { name: "·", logoUrl: "·" })));
  for (const [, address] of page.matchAll(/ (?:href|src)="([^"]*)"/g))
    expect(address).toMatch(/^(?:\/|tel:[\d-]*$|mailto:|https:\/\/beian\.miit\.gov\.cn\/$)/);
  // Between the tags and in them, leaving out what stands in quotes.
  expect(page.replaceAll(/"[^"]*"/g, "")).not.toMatch(/<script|<svg|<iframe|<math|<[a-z0-9]+[^>]* on\w+=/i);
});

test("addresses that are none of ours never get into a draft", async () => {
  for (const bad of [
    { bannerUrl: "https://evil.example/a.png" },
    { bannerUrl: "javascript:alert(1)" },
    { phone: "javascript:alert(1)" },
    { email: 'a@b.c" onclick="alert(1)' },
    { title: "" },
  ])
    expect(
      (
        await world.refused(addSite, tokens.sp01, {
          requestId: randomUUID(),
          host: "hemu.example.com",
          atRoot: false,
          content: { ...CONTENT, ...bad },
        })
      ).status,
      JSON.stringify(bad),
    ).toBe(400);
});
