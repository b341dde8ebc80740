import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { payThrough } from "@zhangfang/domains/channels/server/index.ts";
import { giveChannel } from "@zhangfang/domains/orders/server/index.ts";
import { openTillWorld, type TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { openHttp } from "./http.ts";
import { doors, routes } from "./domains.ts";
import { addChannelAccounts } from "@zhangfang/domains/organisation/server/testing/plant-channel-accounts.ts";

let world: TillWorld;
let app: FastifyInstance;
const addresses: string[] = [];
beforeAll(async () => {
  world = await openTillWorld();
  // The real adapters: they read what comes, and nothing here asks anybody.
  giveChannel(
    world.services,
    payThrough(() => Promise.reject(new Error("nobody is asked"))),
  );
  const [made] = await addChannelAccounts(world);
  const wechat = world.settings.get(world.tree.merchants.mch01.id)!.id;
  addresses.push(`/notify/wechat-pay/${wechat}`, `/notify/alipay/${made!.id}`, `/notify/acquirer/${made!.acquirer}`);
  addresses.push(...addresses.map((address) => address.replace(/[^/]+$/, world.services.ids.uuid(1))));
  app = await openHttp(world.services, doors, routes, { limits: false });
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const deep = (n: number) => `${"[".repeat(n)}${"]".repeat(n)}`;
const BODIES: readonly (readonly [what: string, type: string, body: string | Buffer])[] = [
  ["nothing", JSON_TYPE, ""],
  ["half of a JSON", JSON_TYPE, '{"a":'],
  ["a list", JSON_TYPE, "[1]"],
  ["null", JSON_TYPE, "null"],
  ["a number", JSON_TYPE, "1e999"],
  ["brackets within brackets", JSON_TYPE, deep(100_000)],
  ["names that objects have", JSON_TYPE, '{"__proto__":"1","constructor":"2","sign":"AAAA","mchnt_cd":"1"}'],
  ["fields that are no texts", JSON_TYPE, '{"sign":{"a":1},"mchnt_cd":[],"trans_stat":null}'],
  ["a signature of nonsense", JSON_TYPE, `{"sign":"${"A".repeat(344)}","mchnt_cd":"2088000000000000","trans_stat":"SUCCESS"}`],
  ["zeros", JSON_TYPE, Buffer.alloc(1_000)],
  ["bytes", JSON_TYPE, randomBytes(5_000)],
  ["an empty form", FORM, ""],
  ["a form of bytes", FORM, randomBytes(5_000)],
  ["an escape that is none", FORM, "sign=%E0%A4%A&sign_type=RSA2"],
  ["a NUL", FORM, "out_trade_no=%00&sign=AAAA&sign_type=RSA2&trade_status=TRADE_SUCCESS"],
  ["half of a surrogate", FORM, "subject=%ED%A0%80&sign=AAAA&sign_type=RSA2"],
  ["a field twice", FORM, "sign=AAAA&sign=AAAA&sign_type=RSA2"],
  ["a thousand fields", FORM, Array.from({ length: 20_000 }, (_none, n) => `f${n}=1`).join("&")],
  ["two fields in one", FORM, "a=1%26b%3D2&sign=AAAA&sign_type=RSA2"],
  ["names that objects have, as a form", FORM, "__proto__=1&constructor=2&hasOwnProperty=3&sign=AAAA&sign_type=RSA2"],
  [
    "a signature of nonsense, as a form",
    FORM,
    `sign=${encodeURIComponent(randomBytes(256).toString("base64"))}&sign_type=RSA2&trade_status=TRADE_SUCCESS`,
  ],
  ["a form with a sign of megabytes", FORM, `sign=${"A".repeat(250_000)}&sign_type=RSA2`],
  ["more than anybody reads", FORM, `a=${"A".repeat(300_000)}`],
  ["a document", "text/xml", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ["no type", "", "a=1"],
  ["a type of nonsense", "application/x-www-form-urlencoded; charset=\u0001", "a=1"],
];

test("whatever comes to a channel's address gets a no of ours, tells nothing, and leaves nothing behind", async () => {
  const faults: string[] = [];
  for (const url of addresses)
    for (const [what, type, body] of BODIES) {
      const answer = await app.inject({ method: "POST", url, headers: type ? { "content-type": type } : {}, payload: body });
      const fair = [400, 401, 413, 415].includes(answer.statusCode) && !/node_modules|\.ts:\d|SyntaxError|TypeError/.test(answer.body);
      if (!fair) faults.push(`${url} ${what}: ${answer.statusCode} ${answer.body.slice(0, 80)}`);
    }
  expect(faults).toEqual([]);
  expect(await world.owner("select count(*)::int as n from channel_inbox")).toEqual([{ n: 0 }]);
});

test("an address of nothing and one that the key does not fit are one answer", async () => {
  for (const family of ["alipay", "acquirer"]) {
    const [known, unknown] = addresses.filter((address) => address.includes(`/${family}/`));
    const ask = async (url: string) => {
      const { statusCode, body } = await app.inject({
        method: "POST",
        url,
        headers: { "content-type": FORM },
        payload: "a=1&sign=AAAA&sign_type=RSA2",
      });
      return [statusCode, body];
    };
    expect(await ask(known!)).toEqual(await ask(unknown!));
  }
});
