import { buffer } from "node:stream/consumers";
import { crc32, deflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { FileAnswer } from "@zhangfang/server/files/file-answer.ts";
import { Refusal, refusalOf } from "@zhangfang/server/calls/errors.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { signIn } from "../../../../apps/demo/tree/tree.ts";
import { doors } from "../../../accounts/server/world-for-tests.ts";
import * as contract from "../../contract/index.ts";
import { linkToken } from "@zhangfang/server/files/signed-link.ts";
import { orders } from "../index.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";
import { purgeLoosePictures } from "./answer-comment.ts";

let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld()));
afterAll(() => world.close());

async function as<E extends Endpoint>(login: string | undefined, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
  const route = orders.routes.find((one) => one.endpoint === (endpoint as Endpoint))!;
  const token = login === undefined ? undefined : await signIn(world.services, login);
  return callAs(world.services, doors, route, token, input as object).catch((error: unknown) =>
    Promise.reject(refusalOf(error) ?? error),
  ) as Promise<OutputOf<E>>;
}
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => "went through",
    (error: unknown) => (error instanceof Refusal ? `${error.status} ${error.message}` : Promise.reject(error)),
  );
const store = (n = 0) => world.tree.merchants.mch01.stores[n]!;
async function sold(tillNo: string, n = 0, paid = true): Promise<{ id: string; token: string }> {
  world.services.clock.advance(1_000);
  const way = paid ? { tradeType: "MICROPAY" as const, authCode: "130000000000000002" } : { tradeType: "NATIVE" as const };
  const made = await world.till(store(n), "createTillOrder", { tillNo, subject: "午餐", grossCents: 5_000, ...way });
  const [order] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [made.orderNo]);
  return { id: order!.id, token: linkToken(world.services, "order-comment", order!.id) };
}
/** A grey PNG. @param remark what a program wrote beside it */
function png(width: number, height: number, remark = ""): string {
  const chunk = (type: string, data: Buffer) => {
    const made = Buffer.alloc(12 + data.length);
    made.writeUInt32BE(data.length);
    made.write(type, 4, "latin1");
    data.copy(made, 8);
    made.writeUInt32BE(crc32(made.subarray(4, -4)), 8 + data.length);
    return made;
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.alloc(height * (1 + width)))), chunk("IEND", Buffer.alloc(0))];
  if (remark) parts.splice(1, 0, chunk("tEXt", Buffer.from(remark)));
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]).toString("base64");
}
const write = (token: string, more: object = {}) =>
  as(undefined, contract.writeComment, { token, stars: 5, said: "味道很好，<script>alert(1)</script>\n下次再来", ...more });
const rows = async (login = "mch01", filter: object = {}) => (await as(login, contract.listComments, filter)).items;

test("a payer writes once by the order's own link, with pictures; the merchant answers, changes it once, hides and shows", async () => {
  const { token } = await sold("C1");
  expect(await as(undefined, contract.getCommentPage, { token })).toMatchObject({
    storeName: "春熙路店",
    paidCents: 5_000,
    closed: null,
    written: null,
  });
  await as(undefined, contract.addCommentPicture, { token, place: 0, base64: png(10, 10) });
  const { url } = await as(undefined, contract.addCommentPicture, { token, place: 0, base64: png(1_200, 20, "GPS 30.65,104.08") });
  await as(undefined, contract.addCommentPicture, { token, place: 3, base64: png(30, 30) });
  await write(token, { places: [0] });
  expect(await refusal(write(token))).toBe("409 这笔订单已经评价过了");
  expect(await refusal(as(undefined, contract.addCommentPicture, { token, place: 1, base64: png(1, 1) }))).toBe("409 这笔订单已经评价过了");

  const [row] = await rows();
  expect(row).toMatchObject({
    stars: 5,
    said: "味道很好，<script>alert(1)</script>\n下次再来",
    pictures: [url],
    status: "shown",
    replyable: true,
  });
  // Of the picture, not of where it was taken.
  const [picture, small, middle] = await Promise.all(
    [undefined, "small" as const, "middle" as const].map(async (size) => {
      const answer = (await as(undefined, contract.getCommentPicture, { token: url.split("/").at(-1)!, size })) as FileAnswer;
      return { type: answer.contentType, bytes: await buffer(answer.stream) };
    }),
  );
  expect([picture!.type, small!.type, middle!.type]).toEqual(["image/webp", "image/webp", "image/webp"]);
  expect(picture!.bytes.includes("GPS")).toBe(false);
  // 1,200 pixels wide: the width of a WebP stands 26 bytes in.
  expect([picture, small, middle].map((one) => one!.bytes.readUInt16LE(26) & 0x3fff)).toEqual([1_200, 240, 960]);

  const { id } = row!;
  await as("emp01", contract.replyComment, { id, reply: "谢谢" });
  await as("mch01", contract.replyComment, { id, reply: "谢谢惠顾" });
  expect(await refusal(as("mch01", contract.replyComment, { id, reply: "再改" }))).toBe("409 回复只能修改一次");
  expect((await as(undefined, contract.getCommentPage, { token })).written).toMatchObject({ stars: 5, reply: "谢谢惠顾", pictures: [url] });

  expect(await refusal(as("emp01", contract.hideComment, { id, reason: "不当" }))).toMatch(/^403/);
  await as("mch01", contract.hideComment, { id, reason: "含有广告" });
  expect(await refusal(as("mch01", contract.hideComment, { id, reason: "又一次" }))).toMatch(/^409/);
  expect(await as("mch01", contract.getComment, { id })).toMatchObject({ status: "hidden", hiddenReason: "含有广告" });
  await as("mch01", contract.showComment, { id });
  expect((await rows())[0]).toMatchObject({ status: "shown", hiddenReason: null, replyable: false });
  for (const login of ["mch02", "mch03"]) expect(await refusal(as(login, contract.getComment, { id }))).toMatch(/^404/);

  // The picture at the place that was not named goes away after a day.
  world.services.clock.advance(25 * 3_600_000);
  await purgeLoosePictures.run(world.services, {});
  expect(await world.owner("select place from order_pictures")).toEqual([{ place: 0 }]);
});

test("what is no picture, is too big, or comes too late or too early is refused", async () => {
  const { token } = await sold("C2");
  const add = (base64: string, place = 0) => refusal(as(undefined, contract.addCommentPicture, { token, place, base64 }));
  expect(await add(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>").toString("base64"))).toBe(
    "400 只支持 PNG 和 JPEG 图片",
  );
  expect(await add(Buffer.from(`GIF89a${"x".repeat(60)}`).toString("base64"))).toBe("400 只支持 PNG 和 JPEG 图片");
  expect(await add(png(40_000, 10))).toBe("400 图片边长不能超过 4096 像素");
  expect(await add(png(10, 10, "x".repeat(180_001)))).toBe("400 图片不能超过 180 KB");
  expect(await add(png(10, 10), 6)).toMatch(/^400/);
  for (const wrong of [{ stars: 0 }, { stars: 6 }, { said: "好".repeat(501) }, { said: "a\u0007b" }])
    expect(await refusal(write(token, wrong))).toMatch(/^400/);
  const unpaid = await sold("C3", 0, false);
  expect(await refusal(write(unpaid.token))).toBe("409 订单还没有支付，支付后可以评价");
  world.services.clock.advance(31 * 86_400_000);
  expect(await refusal(write(token))).toBe("409 支付已超过 30 天，不能评价");
  expect(await refusal(write(token.slice(0, 43) + (token.endsWith("A") ? "B" : "A")))).toBe("404 评价链接无效");
});

test("twenty who write at once write one comment", async () => {
  const { token } = await sold("C4");
  const asked = await Promise.all(Array.from({ length: 20 }, () => refusal(write(token))));
  expect(asked.filter((one) => one === "went through")).toHaveLength(1);
});

test("averages leave out what is hidden; list, sums and stores share one filter", async () => {
  for (const [n, stars] of [5, 4, 1].entries()) await write((await sold(`C5${n}`, 1)).token, { stars });
  const low = (await rows("mch01", { stars: 1 }))[0]!;
  const at = async () => (await as("mch01", contract.statComments, {})).items.find(({ storeName }) => storeName === low.storeName)!;
  expect(await at()).toMatchObject({ count: 3, average: 333, poor: 1, unanswered: 3 });
  await as("mch01", contract.hideComment, { id: low.id, reason: "恶意差评" });
  expect(await at()).toMatchObject({ count: 3, average: 450 });
  for (const filter of [
    {},
    { stars: 5 },
    { status: "hidden" },
    { replied: true },
    { keyword: "下次再来" },
    { storeId: store(1).id },
  ] as object[]) {
    const [sums, list] = [
      await as("mch01", contract.summariseComments, filter),
      await as("mch01", contract.listComments, { ...filter, withTotal: true }),
    ];
    expect([filter, sums.count]).toEqual([filter, list.total!.count]);
  }
  expect((await as("emp01", contract.statComments, {})).items.map(({ storeName }) => storeName)).toEqual(["春熙路店"]);
});
