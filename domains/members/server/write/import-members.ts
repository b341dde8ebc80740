import { sql } from "kysely";
import { z } from "zod";
import { day, line } from "@zhangfang/contract/fields.ts";
import { centsOf } from "@zhangfang/contract/money.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Author } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addLot, addPoints } from "../../../value-book/server/index.ts";
import { memberBirthday, memberPhone } from "../../contract/index.ts";
import { memberOfPhone } from "../make-member.ts";
import { bringLevel, ladderOf, type Rung } from "../member-facts.ts";
import { makeMemberAt } from "./write-members.ts";

const COLUMNS: readonly ImportColumn[] = [
  { key: "phone", label: "手机号", also: ["手机", "电话"], required: true, unique: true, example: "13800138000", width: 14 },
  { key: "name", label: "姓名", also: ["会员姓名", "会员"], example: "陈小雨", width: 12 },
  { key: "birthday", label: "生日", example: "1990-05-14", help: "写成 1990-05-14", width: 12 },
  {
    key: "storeNumber",
    label: "门店编号",
    also: ["门店", "售卡门店"],
    required: true,
    example: "6123456789",
    help: "入会、售卡的门店",
    width: 14,
  },
  { key: "level", label: "等级", also: ["会员等级"], example: "金卡", help: "本商户VIP规则里的等级名称；留空按消费计算", width: 12 },
  { key: "points", label: "积分", example: "1200", width: 10 },
  { key: "pointsEnd", label: "积分有效期", example: "2027-12-31", help: "留空为长期", width: 14 },
  { key: "principal", label: "储值本金", example: "500.00", help: "元；要由另一人确认后入账", width: 12 },
  { key: "gift", label: "储值赠送", example: "50.00", help: "元", width: 12 },
  { key: "remark", label: "备注", example: "不吃香菜", width: 20 },
];
const MOST_CENTS = 500_000;
const yuanCell = z
  .string()
  .transform((text) => centsOf(text) ?? Number.NaN)
  .pipe(z.number({ error: "金额写成 200.00" }).min(0, "金额不能小于 0").max(MOST_CENTS, "本金和赠送各不超过 5,000.00 元"))
  .optional();
const row = z.object({
  phone: memberPhone,
  name: line(32).optional(),
  birthday: memberBirthday.optional(),
  storeNumber: line(20, 1, "请填写门店编号"),
  level: line(16).optional(),
  points: z
    .string()
    .regex(/^\d{1,7}$/, "积分为整数，最多 9,999,999")
    .transform(Number)
    .optional(),
  pointsEnd: day.optional(),
  principal: yuanCell,
  gift: yuanCell,
  remark: line(200).optional(),
});
type Row = z.output<typeof row>;
interface NewMember extends Row {
  readonly storeId: string;
  readonly rank: number | undefined;
}

/** Members from a sheet with what they had elsewhere. Level, points and gifts come at once, principal when a second person says so. */
export const memberImport: ImportSource<typeof row, NewMember> = {
  name: "members",
  title: "会员",
  unit: "人",
  access: "/member/member/import",
  screen: "/member/member",
  columns: () => COLUMNS,
  row,
  titleKey: "phone",
  check: checkRows,
  create: createOne,
};

/** The levels of the merchants whose stores a sheet names, by merchant: past the fence of a store, which has no rules of its own. */
async function laddersOf(tx: Transaction, services: Services, stores: readonly Store[]): Promise<ReadonlyMap<string, readonly Rung[]>> {
  const of = new Map(stores.map(({ merchant_id, service_provider_id }) => [merchant_id, service_provider_id]));
  return new Map(
    await asPlatform(tx, async () => {
      const all: [string, readonly Rung[]][] = [];
      for (const [merchant, provider] of of) all.push([merchant, await ladderOf(tx, services, provider, merchant)]);
      return all;
    }),
  );
}
/** Why a level cannot be given; nothing where it can. */
function whyNoLevel(level: string, rungs: readonly Rung[]): string | undefined {
  const names = rungs.filter(({ paid }) => !paid).map(({ name }) => name);
  const rung = rungs.find(({ name }) => name === level);
  if (rung?.paid) return `「${level}」是付费等级，不能导入，请在「VIP订单」里开通`;
  if (rung) return undefined;
  return names.length === 0
    ? "本商户还没有可以导入的会员等级，请先设置VIP规则或留空"
    : `没有「${level}」这个等级，现有：${names.join("、")}`;
}

interface Store {
  readonly id: string;
  readonly number: string;
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
async function checkRows(
  tx: Transaction,
  scope: Scope,
  rows: readonly Row[],
  _person: string,
  services?: Services,
): Promise<Verdict<NewMember>[]> {
  const { rows: stores } = await sql<Store>`select s.id, s.number, s.service_provider_id, s.merchant_id from stores s
    where ${inScope(scope, "s")} and s.state = 'active' and s.number = any(${rows.map(({ storeNumber }) => storeNumber)}::text[])`.execute(
    tx,
  );
  const { rows: now } = await sql<{ at: string }>`select now() as at`.execute(tx);
  const today = shanghaiDay(now[0]!.at);
  const ladders = services && rows.some(({ level }) => level !== undefined) ? await laddersOf(tx, services, stores) : undefined;
  return rows.map((given): Verdict<NewMember> => {
    const store = stores.find(({ number }) => number === given.storeNumber);
    if (!store) return { errors: { storeNumber: `没有在用的门店「${given.storeNumber}」` } };
    if (given.birthday && (given.birthday > today || given.birthday < "1900-01-01")) return { errors: { birthday: "生日有误" } };
    if (given.pointsEnd && given.pointsEnd < today) return { errors: { pointsEnd: "有效期已过" } };
    if (given.pointsEnd && !given.points) return { errors: { points: "写了有效期，没有写积分" } };
    if ((given.principal ?? 0) + (given.gift ?? 0) > MOST_CENTS) return { errors: { principal: "本金和赠送合计不能超过 5,000.00 元" } };
    const rungs = ladders?.get(store.merchant_id) ?? [];
    const noLevel = given.level === undefined ? undefined : whyNoLevel(given.level, rungs);
    if (noLevel !== undefined) return { errors: { level: noLevel } };
    const rank = rungs.find(({ name }) => name === given.level)?.rank;
    return { value: { ...given, storeId: store.id, rank } };
  });
}

/** One line in its own transaction: the member, their level, and what comes along under the member's own id, so once. */
async function createOne(author: Author, tx: Transaction, value: NewMember): Promise<string> {
  const { storeId, rank, phone, name = "", birthday = null, remark = "", points = 0, pointsEnd = null, principal = 0, gift = 0 } = value;
  const { provider, merchant } = author.scope;
  if (provider && merchant && (await memberOfPhone(tx, author.services, provider, merchant, phone)))
    throw invalid("phone", "这个手机号已是会员，余额和积分没有导入");
  const { id, told } = await makeMemberAt(
    author,
    tx,
    { storeId, phone, name, birthday, sex: null, remark, tags: [], guardian: false },
    "sheet",
  );
  const holder = { service_provider_id: told.provider!, merchant_id: told.merchant!, member_id: id };
  const poster = { ids: author.services.ids, now_ms: author.now_ms };
  if (points > 0)
    await addPoints(tx, poster, holder, {
      cause: "points-opening",
      cause_id: id,
      points,
      usable_from: shanghaiDay(author.now_ms),
      expires_on: pointsEnd,
      store_id: storeId,
    });
  const asked = askerOf(author);
  if (principal > 0)
    await tx
      .insertInto("member_openings")
      .values({
        ...holder,
        id: author.services.ids.uuid(author.now_ms),
        store_id: storeId,
        principal_cents: principal,
        gift_cents: gift,
        asked_by: asked.id,
        asked_name: asked.name,
        created_at: author.now,
      })
      .execute();
  else if (gift > 0)
    await addLot(tx, poster, holder, {
      cause: "opening",
      cause_id: id,
      sold_store_id: storeId,
      mode: "ratio",
      principal_cents: 0,
      gift_cents: gift,
    });
  if (rank !== undefined) {
    const { service_provider_id, merchant_id } = holder;
    await bringLevel(tx, author.services, { service_provider_id, merchant_id, id }, rank);
  }
  await author.audit(tx, {
    ...told,
    after: { storeId, ...(rank !== undefined && { level: value.level }), points, principalCents: principal, giftCents: gift },
  });
  return id;
}
