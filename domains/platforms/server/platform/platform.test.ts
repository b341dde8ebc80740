import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { type PlatformAccount, platformAccountOf } from "../accounts/account-of.ts";
import { placeInAccount, sealKey } from "../accounts/account-keys.ts";
import { NO_TOKEN, ok, refused } from "./answers.ts";
import { forgetTokens, tokenOf } from "./tokens.ts";
import { readDouyinNotice } from "./douyin.ts";
import { readKuaishouNotice } from "./kuaishou.ts";
import { givePlatforms, platformApi } from "./open-platform.ts";

// Bytes as the platforms' pages show them, written down by hand: no simulator, no adapter made them.
let world: World;
let server: Server;
const asked: { line: string; headers: Record<string, unknown>; body: string }[] = [];
/** What comes back, one after another. */
let answers: string[] = [];
beforeAll(async () => {
  world = await openWorld();
  server = createServer((request, reply) => {
    let body = "";
    request.on("data", (piece) => (body += String(piece)));
    request.on("end", () => {
      asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      const answer = answers.shift();
      if (answer === undefined) request.socket.destroy();
      else reply.writeHead(200, { "content-type": "application/json" }).end(answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  givePlatforms(world.services, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
beforeEach(async () => {
  asked.length = 0;
  await world.truth("truncate platform_accounts, platform_tokens cascade");
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await world.close();
});
async function account(platform: "dy" | "ks"): Promise<PlatformAccount> {
  const { id: merchant_id, serviceProviderId: service_provider_id } = world.tree.merchants.mch01;
  const row = { service_provider_id, id: randomUUID() };
  const sealed = (what: "secret" | "sign_secret" | "refresh", text: string) => sealKey(world.services, placeInAccount(what, row), text);
  await world.truth(
    `insert into platform_accounts (service_provider_id, id, merchant_id, platform, account_no, app_of, app_key, secret_sealed, sign_secret_sealed, refresh_sealed, by_name, created_at, updated_at)
      values ($1, $2, $3, $4, 'LK1', 'merchant', 'app', $5, $6, $7, 'x', now(), now())`,
    [
      service_provider_id,
      row.id,
      merchant_id,
      platform,
      sealed("secret", "shh"),
      sealed("sign_secret", "sign"),
      sealed("refresh", "grant"),
    ],
  );
  const found = await withScope(world.services.pool, platformScope("test"), (tx) =>
    platformAccountOf(tx, world.services, { service_provider_id, merchant_id, platform }),
  );
  return found!;
}
const TOKEN = '{"data":{"access_token":"clt.1","description":"","error_code":0,"expires_in":7200},"message":"success"}';

test("抖音: a token, a prepare with ids beyond 2^53, and amounts in cents", async () => {
  const api = platformApi(world.services, await account("dy"));
  answers = [
    TOKEN,
    '{"data":{"error_code":0,"description":"","verify_token":"vt","order_id":"4781","certificates":[{"certificate_id":7087392847123456789,"encrypted_code":"CgwI","expire_time":1798732740,"start_time":1637000000,"amount":{"original_amount":19900,"list_market_amount":25800,"pay_amount":9900,"coupon_pay_amount":10000,"merchant_ticket_amount":500,"payment_discount_amount":100,"platform_discount_amount":200},"sku":{"sku_id":"1718","title":"双人餐","groupon_type":1,"market_price":25800,"sold_start_time":1637000000,"account_id":"6899"}}]},"extra":{"error_code":0,"logid":"2021"}}',
  ];
  expect(await api.prepare({ poiId: "6601", code: "100123456789" })).toEqual({
    kind: "ok",
    value: {
      verifyToken: "vt",
      orderNo: "4781",
      vouchers: [
        {
          certificateId: "7087392847123456789",
          encryptedCode: "CgwI",
          goodsId: "1718",
          title: "双人餐",
          goods_kind: 1,
          ends_at: "2026-12-31T15:59:00.000Z",
          times: 1,
          used: 0,
          // 券实付 100.00 is 用户实付 99.00 and 支付优惠 1.00, which the platform gives beside its 2.00.
          face_cents: 25_800,
          pay_cents: 9_900,
          merchant_ticket_cents: 500,
          platform_ticket_cents: 300,
          use: { face_cents: 25_800, pay_cents: 9_900, merchant_ticket_cents: 500, platform_ticket_cents: 300 },
        },
      ],
    },
  });
  expect(asked.map(({ line }) => line)).toEqual([
    "POST /douyin/oauth/client_token/",
    "GET /douyin/goodlife/v1/fulfilment/certificate/prepare/?poi_id=6601&code=100123456789",
  ]);
  expect(JSON.parse(asked[0]!.body)).toEqual({ client_key: "app", client_secret: "shh", grant_type: "client_credential" });
  expect(asked[1]!.headers).toMatchObject({ "access-token": "clt.1", "rpc-transit-life-account": "LK1" });
});

test.each([
  [
    '{"data":{"error_code":0,"verify_results":[{"result":0,"msg":"","code":"CgwI","verify_id":7222,"certificate_id":7087392847123456789}]}}',
    { kind: "ok", value: { verifyId: "7222", certificateId: "7087392847123456789" } },
  ],
  ['{"data":{"error_code":0,"verify_results":[{"result":2,"msg":"已核销","code":"CgwI"}]}}', { kind: "refused", code: "already" }],
  ['{"data":{"error_code":0,"verify_results":[{"result":1229,"msg":"风险","code":"CgwI"}]}}', { kind: "held", reason: "风险" }],
  // A yes without the number of the use is no yes.
  ['{"data":{"error_code":0,"verify_results":[{"result":0,"msg":"","code":"CgwI"}]}}', { kind: "unknown" }],
  ['{"data":{"error_code":0,"verify_results":[]}}', { kind: "unknown" }],
  // One that says neither, and one that is about another code.
  ['{"data":{"error_code":0,"verify_results":[{"code":"CgwI","verify_id":7222,"certificate_id":7}]}}', { kind: "unknown" }],
  ['{"data":{"error_code":0,"verify_results":[{"result":0,"code":"else","verify_id":7222,"certificate_id":7}]}}', { kind: "unknown" }],
  ['{"data":{"error_code":0,"verify_results":[{"result":0,"verify_id":7222,"certificate_id":7}]}}', { kind: "ok" }],
  ['{"data":{"error_code":0,"verify_results":[{"result":1241,"msg":"x","code":"CgwI"}]}}', { kind: "refused", message: "次数不够" }],
])("抖音 verify %s", async (answer, expected) => {
  const api = platformApi(world.services, await account("dy"));
  answers = [TOKEN, answer];
  const ask = { verifyToken: "vt", poiId: "6601", orderNo: "4781", encryptedCodes: ["CgwI"] };
  const told = await api.verify(ask, "attempt");
  expect(told.kind === "ok" && told.value).toMatchObject([expected]);
  expect(JSON.parse(asked[1]!.body)).toEqual({ verify_token: "vt", poi_id: "6601", encrypted_codes: ["CgwI"], order_id: "4781" });
});

test.each([
  [
    '{"data":{"error_code":3000002,"description":"门店不适用"},"extra":{"error_code":3000002}}',
    { kind: "refused", code: "3000002", message: "这张券不能在这家门店用" },
  ],
  ['{"data":{"error_code":1229,"description":"x"},"extra":{"error_code":1229}}', { kind: "held" }],
  ['{"data":{"error_code":2100004,"description":"系统繁忙"},"extra":{"error_code":2100004}}', { kind: "unknown", code: "2100004" }],
  // A code that the platform repeats stays out of what is kept.
  [
    '{"data":{"error_code":99,"description":"券 100123456789 异常"},"extra":{"error_code":99}}',
    { kind: "unknown", reason: "券 ···6789 异常" },
  ],
  ["<html>", { kind: "unknown" }],
  ["[]", { kind: "unknown" }],
  ['{"data":{}}', { kind: "unknown" }],
])("抖音 answers %s to a prepare", async (answer, expected) => {
  const api = platformApi(world.services, await account("dy"));
  answers = [TOKEN, answer];
  expect(await api.prepare({ poiId: "6601", code: "1" })).toMatchObject(expected);
});

test("a token that was made by keys which were changed meanwhile is nobody's", async () => {
  const ks = await account("ks");
  const renewed = tokenOf(world.services, ks, "account:x", async () => {
    // Somebody saves other keys, and the next call makes a token with them.
    const of = { service_provider_id: ks.service_provider_id, platform: "ks" };
    await withScope(world.services.pool, platformScope("test"), (tx) => forgetTokens(tx, of, ["account:x"], { grant: true }));
    const fresh = () => Promise.resolve(ok({ token: "fresh", lasts_s: 7_200, refresh: "fresh grant" }));
    expect(await tokenOf(world.services, ks, "account:x", fresh)).toEqual(ok("fresh"));
    return ok({ token: "old", lasts_s: 7_200, refresh: "old grant" });
  });
  expect(await renewed).toMatchObject({ kind: "unknown" });
  const never = () => Promise.reject(new Error("not again"));
  expect(await tokenOf(world.services, ks, "account:x", never)).toEqual(ok("fresh"));
});
test("a renewal that fails is tried again a minute later, not by each call", async () => {
  const dy = await account("dy");
  let tries = 0;
  const mint = () => {
    tries += 1;
    return Promise.resolve(tries === 1 ? ok({ token: "first", lasts_s: 7_200 }) : refused("busy", "忙"));
  };
  for (const seconds of [0, 3_700, 1, 1]) {
    world.services.clock.advance(seconds * 1_000);
    expect(await tokenOf(world.services, dy, "app:x", mint)).toEqual(ok("first"));
  }
  expect(tries).toBe(2);
});
const CARD = (list: string) =>
  `{"data":{"error_code":0,"verify_token":"vt","order_id":"1","certificates":[{"certificate_id":"1","encrypted_code":"e","amount":{"original_amount":9000,"pay_amount":1000,"platform_discount_amount":100},"time_card":{"time_card_type":2,"times_count":3,"times_used":1${list}}}]}}`;
test.each([
  // A 阶梯次卡 says what each use is worth.
  [
    ',"serial_amount_list":[{"serial_numb":1,"amount":{"original_amount":5000,"pay_amount":600}},{"serial_numb":2,"amount":{"original_amount":3000,"coupon_pay_amount":310,"payment_discount_amount":10,"platform_discount_amount":20}}]',
    { face_cents: 3_000, pay_cents: 300, platform_ticket_cents: 30 },
  ],
  // Of one that does not the parts add up: 333, 333, 334.
  ["", { face_cents: 3_000, pay_cents: 333, platform_ticket_cents: 33 }],
])("抖音: a use of a 次卡 is worth its part%#", async (list, use) => {
  const api = platformApi(world.services, await account("dy"));
  answers = [TOKEN, CARD(list)];
  const told = await api.prepare({ poiId: "1", code: "1" });
  expect(told.kind === "ok" && told.value.vouchers).toMatchObject([{ pay_cents: 1_000, times: 3, used: 1, use }]);
});
test("抖音: a record of a 次卡 has the part of its use, and when it was taken back", async () => {
  const api = platformApi(world.services, await account("dy"));
  answers = [
    TOKEN,
    '{"data":{"error_code":0,"records_v2":[{"verify_id":"1","certificate_id":"2","verify_time":1690000000,"status":2,"cancel_time":1690003000,"amount":{"pay_amount":900},"verify_amount_info":{"times_card_serial_amount":{"serial_numb":1,"amount":{"pay_amount":300}}}}]}}',
  ];
  const told = await api.verifications({ from_s: 1, to_s: 2, cursor: "" });
  expect(told.kind === "ok" && told.value.items).toMatchObject([
    { pay_cents: 300, reversed: true, reversedAt: "2023-07-22T05:16:40.000Z" },
  ]);
});
test.each([
  ['{"result":1,"data":{"error_code":2100005,"description":"系统繁忙"}}', { kind: "unknown", code: "2100005" }],
  ['{"result":1,"data":{"error_code":45005117}}', { kind: "refused", message: "动态码已过期，请顾客刷新" }],
])("快手 answers %s to a verify", async (answer, expected) => {
  const api = platformApi(world.services, await account("ks"));
  answers = ['{"result":1,"access_token":"at","expires_in":172800}', answer];
  expect(await api.verify({ verifyToken: "vt", poiId: "66", orderNo: "47", encryptedCodes: ["e"] }, "a")).toMatchObject(expected);
});
test("keys that are refused before anything is sent are no answer of the platform's to the call", async () => {
  const api = platformApi(world.services, await account("dy"));
  answers = ['{"data":{"error_code":2190003,"description":"client_secret 错误"}}'];
  expect(await api.cancel({ verifyId: "1", certificateId: "2" }, "a")).toMatchObject({ kind: "unknown", reason: "client_secret 错误" });
  answers = ['{"data":{"error_code":2190003,"description":"client_secret 错误"}}'];
  expect(await api.verify({ verifyToken: "vt", poiId: "66", orderNo: "47", encryptedCodes: ["e"] }, "a")).toMatchObject({ code: NO_TOKEN });
});
test("快手: a refreshed token, and the same verify", async () => {
  const api = platformApi(world.services, await account("ks"));
  answers = [
    '{"result":1,"access_token":"at","expires_in":172800,"refresh_token":"next","refresh_token_expires_in":15552000}',
    '{"result":1,"data":{"error_code":0,"description":"success","verify_results":[{"result":0,"code":"e","verify_id":"9","certificate_id":"8"}]}}',
    // Silence.
  ];
  const ask = { verifyToken: "vt", poiId: "66", orderNo: "47", encryptedCodes: ["e"] };
  expect(await api.verify(ask, "a")).toEqual({ kind: "ok", value: [{ kind: "ok", value: { verifyId: "9", certificateId: "8" } }] });
  expect(asked[0]!.line).toBe("GET /kuaishou/oauth2/refresh_token?grant_type=refresh_token&refresh_token=grant&app_id=app&app_secret=shh");
  expect(await api.verify(ask, "a")).toMatchObject({ kind: "unknown" });
  expect(await api.query("e", "a")).toMatchObject({ kind: "refused", code: "no-call" });
});

test("notices are read under their own signature alone", async () => {
  const body = Buffer.from(
    '{"event":"life_trade_certificate_notify","client_key":"app","from_user_id":"_0","content":"{\\"action\\":\\"verify\\",\\"msg_time\\":1679914989,\\"certificate\\":{\\"certificate_id\\":\\"7212557509230723106\\",\\"order_id\\":\\"8000007678483824642\\",\\"account_id\\":\\"LK1\\"}}","log_id":"2023"}',
  );
  const dy = await account("dy");
  const headers = (signature: string) => ({ "x-douyin-signature": signature, "msg-id": "m1" });
  // echo -n 'sign<body>' | sha1sum
  const good = createHash("sha1").update(`sign${body.toString()}`).digest("hex");
  expect(readDouyinNotice(dy, body, headers(good))).toEqual({
    // Msg-Id is not signed, and the same for each use of a voucher.
    messageId: "verify:7212557509230723106:1679914989",
    event: "verify",
    certificateIds: ["7212557509230723106"],
    accountNo: "LK1",
  });
  expect(readDouyinNotice(dy, Buffer.from(`${body.toString()} `), headers(good))).toBeUndefined();
  expect(readDouyinNotice(dy, body, {})).toBeUndefined();
  await world.truth("truncate platform_accounts cascade");
  const ks = await account("ks");
  const plain = Buffer.from('{"message_id":"k1","event":"refund","certificate_id":"8"}');
  const sign = createHash("sha256").update(`sign&a=1&b=2&http_body=${plain.toString()}`).digest("hex");
  expect(readKuaishouNotice(ks, plain, { b: "2", a: "1", sign })).toEqual({
    messageId: "k1",
    event: "refund",
    certificateIds: ["8"],
    accountNo: "",
  });
  expect(readKuaishouNotice(ks, plain, { b: "2", a: "2", sign })).toBeUndefined();
});
