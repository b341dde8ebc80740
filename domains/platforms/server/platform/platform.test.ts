import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { type PlatformAccount, platformAccountOf } from "../accounts/account-of.ts";
import { placeInAccount, sealKey } from "../accounts/account-keys.ts";
import { NO_TOKEN, ok, refused } from "./answers.ts";
import { forgetTokens, tokenOf } from "./tokens.ts";
import { readDouyinNotice } from "./douyin.ts";
import { Kuaishou, readKuaishouNotice } from "./kuaishou.ts";
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
  await emptyTables(world.truth, "platform_accounts, platform_tokens");
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

const OVER = '{"data":{"error_code":2190008,"description":"access_token 已过期"},"extra":{"error_code":2190008}}';
test.each([
  ["dy", TOKEN.replace("clt.1", "clt.2"), '"verify_id":7222,"certificate_id":7'],
  ["ks", '{"result":1,"access_token":"clt.2","expires_in":172800}', '"verify_id":"7222","certificate_id":"7"'],
] as const)("%s: a token that dies inside a verify is made anew, and the same body goes out once more", async (platform, renewed, ids) => {
  const used = `{"data":{"error_code":0,"verify_results":[{"result":0,"code":"e",${ids}}]}}`;
  const api = await said(platform, OVER, renewed, used);
  const ask = { verifyToken: "vt", poiId: "66", orderNo: "47", encryptedCodes: ["e"] };
  expect(await api.verify(ask, "attempt")).toEqual({
    kind: "ok",
    value: [{ kind: "ok", value: { verifyId: "7222", certificateId: "7" } }],
  });
  const verifies = asked.filter(({ line }) => line.includes("/certificate/verify"));
  expect(verifies.map(({ line }) => line)).toEqual([verifies[0]!.line, verifies[0]!.line]);
  expect(verifies[1]!.body).toBe(verifies[0]!.body);
  expect(verifies.map(({ headers }) => headers["access-token"])).toEqual([platform === "dy" ? "clt.1" : "at", "clt.2"]);
  // Dead again: nobody knows, and nothing goes out a third time.
  answers = [OVER, renewed, OVER];
  expect(await api.verify(ask, "attempt")).toMatchObject({ kind: "unknown" });
  expect(answers).toEqual([]);
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
])("unverified: D9, the use of a 次卡 after those that are used is worth its part%#", async (list, use) => {
  const api = platformApi(world.services, await account("dy"));
  answers = [TOKEN, CARD(list)];
  const told = await api.prepare({ poiId: "1", code: "1" });
  expect(told.kind === "ok" && told.value.vouchers).toMatchObject([{ pay_cents: 1_000, times: 3, used: 1, use }]);
});
test("unverified: D3, a prepare without certificate_id names its voucher by the sealed code", async () => {
  const api = await said(
    "dy",
    GOOD('"verify_token":"vt","order_id":"1","certificates":[{"encrypted_code":"CgwI","amount":{"pay_amount":1000}}]'),
  );
  expect(await api.prepare({ poiId: "1", code: "1" })).toMatchObject({
    value: { vouchers: [{ certificateId: "", encryptedCode: "CgwI", pay_cents: 1_000 }] },
  });
});
test.each([
  ['"times_count":3,"times_used":1', { times: 3, used: 1 }],
  // More used than there are, and a voucher that says nothing of times.
  ['"times_count":3,"times_used":9', { times: 3, used: 3 }],
  ["", { times: 1, used: 0 }],
])("unverified: D4, the uses of a 次卡 are times_count and times_used, each a verify of the same code: %s", async (card, value) => {
  const wire = `"verify_token":"vt","order_id":"1","certificates":[{"certificate_id":"1","encrypted_code":"e","amount":{"pay_amount":900},"time_card":{${card}}}]`;
  const used = '"verify_results":[{"result":0,"code":"e","verify_id":"7","certificate_id":"1"}]';
  const api = await said("dy", GOOD(wire), GOOD(used));
  expect(await api.prepare({ poiId: "1", code: "1" })).toMatchObject({ value: { vouchers: [{ encryptedCode: "e", ...value }] } });
  await api.verify({ verifyToken: "vt", poiId: "1", orderNo: "1", encryptedCodes: ["e"] }, "a");
  expect(last()[1]).toMatchObject({ encrypted_codes: ["e"] });
});
test("unverified: D5, uses on record stand in records_v2 or records, of status 2 where they were taken back, with poi_id or poi_info", async () => {
  const use = (id: string, more: string) =>
    `{"verify_id":"${id}","certificate_id":"c","verify_time":1690000000,"amount":{"pay_amount":900},${more}}`;
  const api = await said(
    "dy",
    GOOD(`"records_v2":[${use("1", '"status":1,"poi_id":7200000000000000001')},${use("2", '"status":2,"poi_info":{"poi_id":"66"}')}]`),
    GOOD(`"records":[${use("3", '"status":1,"poi_id":"66"')}]`),
  );
  const asked = async () => {
    const told = await api.verifications({ from_s: 1, to_s: 2, cursor: "" });
    return told.kind === "ok" && told.value.items.map(({ verifyId, poiId, reversed }) => [verifyId, poiId, reversed]);
  };
  expect(await asked()).toEqual([
    ["1", "7200000000000000001", false],
    ["2", "66", true],
  ]);
  expect(await asked()).toEqual([["3", "66", false]]);
});
const LINE =
  '{"certificate_id":"c","verify_id":"7222","poi_id":"66","order_id":"47","verify_time":1690000000,"amount":{"goods":9000,"pay_handling":60,"talent_commission":300,"total_agent_merchant":40,"total_service_provider":50,"total_merchant_platform_service":250,"total_operation_agent":0,"ledger_total":9700}';
test("unverified: D6, what platforms take of a line of the bill stands under these names", async () => {
  const api = await said("dy", GOOD(`"has_more":true,"cursor":"50","ledger_records":[${LINE},"ledger_id":"L1"}]`));
  expect(await api.ledger({ day: "2026-11-20", cursor: "" })).toEqual({
    kind: "ok",
    value: {
      items: [
        {
          lineNo: "L1",
          certificateId: "c",
          verifyId: "7222",
          poiId: "66",
          orderNo: "47",
          at: "2023-07-22T04:26:40.000Z",
          goods_cents: 9_000,
          fee_cents: 60,
          talent_cents: 300,
          agency_cents: 40,
          provider_cents: 50,
          platform_fee_cents: 250,
          operator_cents: 0,
          total_cents: 9_700,
        },
      ],
      next: "50",
    },
  });
  expect(last()[0]).toBe("GET /douyin/goodlife/v1/settle/ledger/query/?account_id=LK1&bill_date=2026-11-20&cursor=0&size=50");
});
test("unverified: D8, a line of the bill is named by ledger_id, and by nothing where it has none", async () => {
  const api = await said("dy", GOOD(`"has_more":false,"ledger_records":[${LINE},"ledger_id":7200000000000000009},${LINE}}]`));
  expect(await api.ledger({ day: "2026-11-20", cursor: "" })).toMatchObject({
    value: { items: [{ lineNo: "7200000000000000009" }, { lineNo: "" }], next: null },
  });
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
const said = async (platform: "dy" | "ks", ...wire: string[]) => {
  const api = platformApi(world.services, await account(platform));
  answers = [platform === "dy" ? TOKEN : KS_TOKEN, ...wire];
  return api;
};
const KS_TOKEN = '{"result":1,"access_token":"at","expires_in":172800}';
/** What was asked for last: its line, and its body. */
const last = () => [asked.at(-1)!.line, asked.at(-1)!.body === "" ? undefined : (JSON.parse(asked.at(-1)!.body) as unknown)];
const GOOD = (more: string) => `{"data":{"error_code":0,"description":"success",${more}},"extra":{"error_code":0}}`;
test.each([
  ['"status":1,"verify":{}', { status: "free", verifyId: "", canCancel: true, usedAt: null }],
  [
    '"status":2,"verify":{"verify_id":"7222","verify_time":1690000000,"can_cancel":false}',
    { status: "used", verifyId: "7222", canCancel: false, usedAt: "2023-07-22T04:26:40.000Z" },
  ],
  ['"verify":{}', undefined],
])("抖音: a voucher that is asked about, %s", async (wire, value) => {
  await askedAbout(wire, value);
  expect(last()).toEqual(["GET /douyin/goodlife/v1/fulfilment/certificate/get/?encrypted_code=CgwI%2B%2F%3D", undefined]);
});
test.each([
  ["3", { status: "refunded" }],
  ["4", { status: "over" }],
  ["5", undefined],
])("unverified: D2, a voucher's status %s", (status, value) => askedAbout(`"status":${status}`, value));
async function askedAbout(wire: string, value: object | undefined): Promise<void> {
  const api = await said("dy", GOOD(`"certificate":{"certificate_id":7087392847123456789,"encrypted_code":"CgwI",${wire}}`));
  const answer = await api.query("CgwI+/=", "attempt");
  if (value === undefined) expect(answer).toMatchObject({ kind: "unknown" });
  else expect(answer).toMatchObject({ kind: "ok", value: { certificateId: "7087392847123456789", ...value } });
}
test("unverified: D1, where a store stands is in address, latitude and longitude", async () => {
  const poi = (id: number, more: string) => `{"poi":{"poi_id":${id},"poi_name":"春熙路店"${more}}}`;
  const told = [
    ',"address":"春熙路 8 号","latitude":30.6571,"longitude":104.0797',
    ',"latitude":"30.6571","longitude":"104.0797"',
    ',"latitude":0,"longitude":0',
    ',"latitude":306571,"longitude":1040797',
  ];
  const api = await said("dy", GOOD(`"total":4,"pois":[${told.map((more, at) => poi(at + 1, more)).join(",")}]`));
  const place = { latitude: 30.6571, longitude: 104.0797 };
  const of = { name: "春熙路店", address: "" };
  // Nothing is no place, and neither is what lies on no globe.
  const items = [
    { ...of, poiId: "1", address: "春熙路 8 号", place },
    { ...of, poiId: "2", place },
    { ...of, poiId: "3" },
    { ...of, poiId: "4" },
  ];
  expect(await api.stores("")).toEqual({ kind: "ok", value: { items, next: null } });
});
test("抖音: stores come page by page, with ids beyond 2^53 and where they stand", async () => {
  const poi = (id: string, more: string) => `{"poi":{"poi_id":${id},"poi_name":"春熙路店"${more}}}`;
  const first = poi("7200000000000000001", ',"address":"春熙路 8 号","latitude":30.6571,"longitude":104.0797');
  const api = await said(
    "dy",
    GOOD(`"total":51,"pois":[${first},{"poi":{"poi_name":"x"}}]`),
    GOOD(`"total":51,"pois":[${poi('"2"', "")}]`),
  );
  expect(await api.stores("")).toEqual({
    kind: "ok",
    value: {
      items: [
        { poiId: "7200000000000000001", name: "春熙路店", address: "春熙路 8 号", place: { latitude: 30.6571, longitude: 104.0797 } },
      ],
      next: "2",
    },
  });
  expect(await api.stores("2")).toMatchObject({ value: { items: [{ poiId: "2" }], next: null } });
  expect(asked.slice(1).map(({ line }) => line)).toEqual([
    "GET /douyin/goodlife/v1/shop/poi/query/?account_id=LK1&page=1&size=50",
    "GET /douyin/goodlife/v1/shop/poi/query/?account_id=LK1&page=2&size=50",
  ]);
});
const PRODUCT =
  '{"online_status":1,"product":{"product_id":"1801","product_name":"双人餐","product_type":1,"groupon_type":1,"pois":[{"poi_id":7200000000000000001}]},"sku":{"sku_id":"1718","actual_amount":9800,"origin_amount":16800,"stock":{"stock_qty":7},"sold_count":3}}';
test.each([
  [PRODUCT, { stock: 7, sold: 3 }],
  [PRODUCT.replace('"stock_qty":7', '"qty":7').replace('"sold_count"', '"sales"'), { stock: null, sold: null }],
])("unverified: D7, of goods stock.stock_qty is left and sold_count was sold%#", async (wire, value) => {
  const api = await said("dy", GOOD(`"has_more":false,"products":[${wire}]`));
  expect(await api.products("")).toMatchObject({ value: { items: [{ goodsId: "1718", ...value }] } });
});
test("抖音: goods are told with their stock, and the list is whole only where it says so", async () => {
  const api = await said("dy", GOOD(`"has_more":true,"next_cursor":"50","products":[${PRODUCT}]`), GOOD('"has_more":false,"products":[]'));
  expect(await api.products("")).toEqual({
    kind: "ok",
    value: {
      items: [
        {
          goodsId: "1718",
          title: "双人餐",
          goods_kind: 1,
          onSale: true,
          price_cents: 9_800,
          market_cents: 16_800,
          stock: 7,
          sold: 3,
          poiIds: ["7200000000000000001"],
        },
      ],
      next: "50",
      cut: false,
    },
  });
  expect(last()[0]).toBe("GET /douyin/goodlife/v1/goods/product/online/query/?account_id=LK1&cursor=&count=50");
  expect(await api.products("50")).toEqual({ kind: "ok", value: { items: [], next: null, cut: false } });
  // More, and no way to it; beyond what the platform gives; no list at all.
  for (const [cursor, wire] of [
    ["", '"has_more":true,"next_cursor":"","products":[]'],
    ["10000", '"has_more":true,"next_cursor":"10050","products":[]'],
    ["", '"has_more":false'],
  ] as const) {
    answers = [GOOD(wire)];
    expect(await api.products(cursor)).toEqual({ kind: "ok", value: { items: [], next: null, cut: true } });
  }
});
test.each([
  [GOOD('"result":0'), { kind: "ok", value: true }],
  ['{"data":{}}', { kind: "unknown" }],
  ["<html>", { kind: "unknown" }],
])("抖音 answers %s to a cancel", async (wire, expected) => {
  const api = await said("dy", wire);
  expect(await api.cancel({ verifyId: "7222", certificateId: "7087392847123456789" }, "attempt")).toMatchObject(expected);
  expect(last()).toEqual([
    "POST /douyin/goodlife/v1/fulfilment/certificate/cancel/",
    { verify_id: "7222", certificate_id: "7087392847123456789" },
  ]);
});
test.each([
  ["1230", "该券不支持撤销"],
  ["2100004", "系统繁忙"],
])("unverified: D10, a cancel that was answered with %s was not done", async (code, message) => {
  const api = await said("dy", `{"data":{"error_code":${code},"description":"${message}"}}`);
  expect(await api.cancel({ verifyId: "7222", certificateId: "7087" }, "attempt")).toEqual({ kind: "refused", code, message });
});
test("unverified: K1, of 快手 a prepare is read as 抖音's, and its refusals are its own words", async () => {
  const api = await said(
    "ks",
    '{"result":1,"data":{"error_code":0,"verify_token":"vt","order_id":47,"certificates":[{"certificate_id":8087392847123456789,"encrypted_code":"e","expire_time":1798732740,"amount":{"original_amount":16800,"pay_amount":9500,"merchant_ticket_amount":0,"platform_discount_amount":200,"payment_discount_amount":100},"sku":{"sku_id":"9","title":"双人餐","groupon_type":2}}]}}',
    '{"result":1,"data":{"error_code":1212,"description":"券不存在"}}',
  );
  expect(await api.prepare({ poiId: "66", code: "80012345678" })).toMatchObject({
    kind: "ok",
    value: {
      verifyToken: "vt",
      orderNo: "47",
      vouchers: [
        {
          certificateId: "8087392847123456789",
          encryptedCode: "e",
          goodsId: "9",
          goods_kind: 2,
          ends_at: "2026-12-31T15:59:00.000Z",
          times: 1,
          use: { face_cents: 16_800, pay_cents: 9_500, merchant_ticket_cents: 0, platform_ticket_cents: 300 },
        },
      ],
    },
  });
  expect([last()[0], asked.at(-1)!.headers["access-token"]]).toEqual([
    "GET /kuaishou/goodlife/v1/fulfilment/certificate/prepare?poi_id=66&code=80012345678",
    "at",
  ]);
  expect(await api.prepare({ poiId: "66", encryptedData: "o" })).toMatchObject({ code: "1212", message: "快手查不到这张券" });
  expect(last()[0]).toBe("GET /kuaishou/goodlife/v1/fulfilment/certificate/prepare?poi_id=66&encrypted_data=o");
});
test("unverified: K3, a cancel at 快手 is sent only where what is unverified may be", async () => {
  const use = { verifyId: "9", certificateId: "8" };
  const shut = new Kuaishou(world.services, await account("ks"), "http://127.0.0.1:9", false);
  expect(await shut.cancel(use, "attempt")).toMatchObject({ kind: "refused", code: "no-call" });
  await emptyTables(world.truth, "platform_accounts, platform_tokens");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/kuaishou`;
  const open = new Kuaishou(world.services, await account("ks"), url, true);
  answers = [
    KS_TOKEN,
    '{"result":1,"data":{"error_code":0}}',
    '{"result":1,"data":{"error_code":1231,"description":"已撤销"}}',
    '{"result":1}',
  ];
  expect(await open.cancel(use, "attempt")).toEqual({ kind: "ok", value: true });
  expect(last()).toEqual(["POST /kuaishou/goodlife/v1/fulfilment/certificate/cancel", { verify_id: "9", certificate_id: "8" }]);
  expect(await open.cancel(use, "attempt")).toMatchObject({ kind: "refused", code: "1231", message: "已撤销" });
  expect(await open.cancel(use, "attempt")).toMatchObject({ kind: "unknown" });
});
test("unverified: K4, stores and goods of 快手 come page by page", async () => {
  const item =
    '{"item_id":7300000000000000001,"title":"小面","groupon_type":3,"status":2,"price":3000,"market_price":4500,"stock":5,"sold_count":2,"poi_ids":[66]}';
  const api = await said(
    "ks",
    '{"result":1,"data":{"error_code":0,"total":51,"pois":[{"poi_id":66,"poi_name":"春熙路店"},{"poi_name":"x"}]}}',
    `{"result":1,"data":{"error_code":0,"total":51,"items":[${item}]}}`,
    '{"result":1,"data":{"error_code":0,"total":51,"items":[]}}',
    '{"result":1,"data":{"error_code":0}}',
  );
  expect(await api.stores("")).toEqual({ kind: "ok", value: { items: [{ poiId: "66", name: "春熙路店" }], next: "2" } });
  expect(await api.products("")).toEqual({
    kind: "ok",
    value: {
      items: [
        {
          goodsId: "7300000000000000001",
          title: "小面",
          goods_kind: 3,
          onSale: false,
          price_cents: 3_000,
          market_cents: 4_500,
          stock: 5,
          sold: 2,
          poiIds: ["66"],
        },
      ],
      next: "2",
      cut: false,
    },
  });
  expect(await api.products("2")).toMatchObject({ value: { next: null, cut: false } });
  // What says neither how many nor which is no whole list.
  expect(await api.products("")).toMatchObject({ value: { items: [], next: null, cut: true } });
  expect(asked.slice(1).map(({ line }) => line)).toEqual([
    "GET /kuaishou/goodlife/v1/shop/poi/query?page=1&size=50",
    "GET /kuaishou/goodlife/v1/item/itemlist/batch/query?page=1&size=50",
    "GET /kuaishou/goodlife/v1/item/itemlist/batch/query?page=2&size=50",
    "GET /kuaishou/goodlife/v1/item/itemlist/batch/query?page=1&size=50",
  ]);
});
test.each([
  ['{"result":1,"data":{"error_code":2100005,"description":"系统繁忙"}}', { kind: "unknown", code: "2100005" }],
  ['{"result":1,"data":{"error_code":45005117}}', { kind: "refused", message: "动态码已过期，请顾客刷新" }],
  ['{"result":1,"data":{"error_code":1208}}', { kind: "refused", code: "already" }],
  ['{"result":1,"data":{"error_code":1229}}', { kind: "held" }],
  ['{"result":100200500}', { kind: "unknown" }],
])("unverified: K2, 快手 answers %s to a verify", async (answer, expected) => {
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
});
test("unverified: K5, 快手 has no call to ask about a voucher, nor for uses and bills, and none is tried", async () => {
  const api = await said("ks");
  const none = { kind: "refused", code: "no-call" };
  expect(await api.query("e", "a")).toMatchObject(none);
  expect(await api.verifications({ from_s: 1, to_s: 2, cursor: "" })).toMatchObject(none);
  expect(await api.ledger({ day: "2026-11-20", cursor: "" })).toMatchObject(none);
  expect(asked).toEqual([]);
});
test("unverified: K6, 2190008 is a token of 快手's that is over: it is made anew once", async () => {
  const api = await said("ks", OVER, KS_TOKEN.replace('"at"', '"next"'), '{"result":1,"data":{"error_code":0,"total":0,"pois":[]}}');
  expect(await api.stores("")).toEqual({ kind: "ok", value: { items: [], next: null } });
  expect(asked.filter(({ line }) => line.includes("poi/query")).map(({ headers }) => headers["access-token"])).toEqual(["at", "next"]);
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
});
test("unverified: K7, what a notice of 快手's is about stands in message_id, event and certificate_id", async () => {
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
