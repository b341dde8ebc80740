import { z } from "zod";
import { sql } from "kysely";
import { line } from "@zhangfang/contract/fields.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { goodsKind } from "../../platforms/contract/index.ts";
import { addPlatformEntries, type PlatformEntry } from "../../platforms/server/index.ts";
import {
  closedDays,
  dayIsClosed,
  momentCell,
  signedYuanCell,
  sizeCell,
  storesNamed,
  wholeMerchant,
  wordCell,
} from "../../takeaway/server/index.ts";
import { sheetPlatform } from "../contract/index.ts";

const money = (key: string, label: string, also: readonly string[], more: Partial<ImportColumn> = {}): ImportColumn => ({
  key,
  label,
  also,
  example: "0.00",
  width: 12,
  ...more,
});
const COLUMNS: readonly ImportColumn[] = [
  { key: "platform", label: "平台", required: true, example: "美团", help: "美团、口碑、支付宝或视频号；快手只收结算", width: 10 },
  {
    key: "entry",
    label: "事项",
    also: ["类型", "业务类型"],
    example: "核销",
    help: "核销、撤销或结算，及各平台的同义词；留空是核销",
    width: 10,
  },
  {
    key: "certificateId",
    label: "券号",
    also: ["券码", "消费码", "券编号", "核销码"],
    required: true,
    identifies: true,
    example: "202611200001",
    width: 24,
  },
  {
    key: "verifyId",
    label: "核销编号",
    also: ["核销ID", "验券流水"],
    identifies: true,
    example: "",
    help: "次卡每次核销不同；留空用券号",
    width: 24,
  },
  {
    key: "at",
    label: "核销时间",
    also: ["消费时间", "验券时间", "撤销时间"],
    required: true,
    example: "2026-11-20 12:30:00",
    help: "撤销填撤销的时间，结算填核销的时间",
    width: 20,
  },
  {
    key: "store",
    label: "门店",
    also: ["门店编号", "门店名称", "验券门店"],
    example: "6123456789",
    help: "本店的门店编号或名称；留空记为未映射，撤销留空就是核销的门店",
    width: 20,
  },
  { key: "kind", label: "券类型", also: ["商品类型"], example: "团购商品", help: "团购商品、代金券或平台次卡；可留空", width: 12 },
  { key: "title", label: "商品", also: ["商品名称", "团购名称", "项目名称"], example: "双人套餐", width: 28 },
  { key: "orderNo", label: "平台订单号", also: ["订单号", "订单编号"], example: "", width: 24 },
  money("faceCents", "券面值", ["市场价", "原价", "门市价"]),
  money("payCents", "用户实付", ["售价", "实付金额", "顾客实付"], { required: true, example: "88.00", help: "结算的行可填 0" }),
  money("merchantTicketCents", "商家补贴", ["商家优惠"]),
  money("platformTicketCents", "平台补贴", ["平台优惠"]),
  money("feeCents", "佣金", ["服务费", "平台服务费", "技术服务费"], { help: "核销是预计的，结算是实际的" }),
  money("goodsCents", "结算金额", ["商家货款", "商家应得", "结算价"], { help: "核销的行填了，就同时记一行结算" }),
];
/** Words of the platforms' sheets, to the letter: a use that was none cannot be taken back. */
const ENTRIES = {
  verify: ["核销", "已核销", "核销成功", "验券", "已验券", "消费", "已消费", "已使用"],
  reverse: ["撤销", "已撤销", "撤销核销", "核销撤销", "取消核销", "撤销验券", "取消验券", "退款", "已退款"],
  ledger: ["结算", "已结算", "账单", "结算账单"],
} as const;
const platforms = [...sheetPlatform.options, { value: "ks" as const, label: "快手" }];
const signed = signedYuanCell.transform((cents) => cents ?? 0);
const row = z.object({
  platform: z
    .string()
    .transform((name) => platforms.find(({ label, value }) => label === name || value === name)?.value)
    .refine((found) => found !== undefined, "平台为美团、口碑、支付宝、视频号或快手"),
  entry: z.string().default("核销").pipe(wordCell("事项", ENTRIES)),
  certificateId: line(64, 1, "请填写券号"),
  verifyId: line(64).optional(),
  at: momentCell,
  store: line(64).optional(),
  kind: z
    .string()
    .optional()
    .transform((name) => (name === undefined ? null : goodsKind.options.find(({ label }) => label === name)?.value))
    .refine((found) => found !== undefined, "券类型为团购商品、代金券或平台次卡"),
  title: line(128).optional(),
  orderNo: line(64).optional(),
  faceCents: sizeCell,
  payCents: signed,
  merchantTicketCents: sizeCell,
  platformTicketCents: sizeCell,
  feeCents: sizeCell,
  goodsCents: signed,
});
type Row = z.output<typeof row>;
type Value = readonly PlatformEntry[];

/** 团购券 of platforms without an interface here, from their own sheets: uses, reversals and what bills pay. Each once, as facts that never change. */
export const voucherImport: ImportSource<typeof row, Value> = {
  name: "group-buy-vouchers",
  title: "团购券",
  unit: "条",
  access: "/dataCentre/groupBuy/import",
  screen: "/dataCentre/groupBuy",
  columns: () => COLUMNS,
  ownSheets: { column: "platform", of: platforms.map(({ label }) => label) },
  row,
  titleKey: "certificateId",
  check: checkRows,
  async create(author, tx, entries) {
    const fresh = await addPlatformEntries(
      tx,
      author.services,
      entries.map((entry) => ({ ...entry, by_name: author.principal.name })),
    );
    const { platform, merchant_id } = entries[0]!;
    const made = author.services.ids.uuid(author.now_ms);
    await author.audit(tx, {
      targetKind: "platform-entry",
      targetId: made,
      merchant: merchant_id,
      after: { platform, kinds: fresh.map(({ kind }) => kind) },
    });
    return made;
  },
};

function entriesOf(scope: Scope, given: Row, store_id: string | null): PlatformEntry[] {
  const { certificateId, at, goodsCents, feeCents } = given;
  // What is taken back of a bill takes its fee back too, and is a line of its own beside the one that paid.
  const back = goodsCents < 0;
  const fee_cents = back ? -feeCents : feeCents;
  const tickets = back ? -given.platformTicketCents : given.platformTicketCents;
  const about = {
    ...wholeMerchant(scope),
    store_id,
    platform: given.platform!,
    certificate_id: certificateId,
    verify_id: given.verifyId ?? certificateId,
    title: given.title ?? "",
    platform_order_no: given.orderNo ?? "",
    happened_at: at,
    ...(given.kind && { goods_kind: given.kind }),
  };
  const use: PlatformEntry = {
    ...about,
    kind: given.entry,
    face_cents: given.faceCents,
    pay_cents: Math.abs(given.payCents),
    merchant_ticket_cents: given.merchantTicketCents,
    platform_ticket_cents: given.platformTicketCents,
    expected_fee_cents: feeCents,
  };
  const bill: PlatformEntry = {
    ...about,
    kind: "ledger",
    part: back ? 1 : 0,
    fee_cents,
    goods_cents: goodsCents,
    total_cents: given.payCents === 0 ? goodsCents + fee_cents : given.payCents + tickets,
    day: shanghaiDay(at),
  };
  if (given.entry === "ledger") return [bill];
  return given.entry === "verify" && goodsCents > 0 ? [use, bill] : [use];
}

interface Known {
  readonly platform: string;
  readonly kind: string;
  readonly certificate_id: string;
  readonly verify_id: string;
  readonly part: number;
  readonly store_id: string | null;
  readonly face_cents: number;
  readonly pay_cents: number;
  readonly merchant_ticket_cents: number;
  readonly platform_ticket_cents: number;
  readonly expected_fee_cents: number;
  readonly goods_cents: number;
  readonly happened_at: string;
}
type Fact = Pick<PlatformEntry, "platform" | "kind" | "certificate_id" | "verify_id" | "part">;
const keyOf = ({ platform, kind, certificate_id, verify_id, part = 0 }: Fact | Known): string =>
  [platform, kind, certificate_id, verify_id, part].join("|");
/** The same use under whatever number: of a platform, at a store, in that second, for that money. */
const momentOf = (fact: Pick<PlatformEntry, "platform" | "kind" | "store_id" | "pay_cents" | "happened_at"> | Known): string =>
  [fact.platform, fact.kind, fact.store_id, fact.pay_cents ?? 0, fact.happened_at].join("|");
/** Whether it was told with a number of its own for the use, or by the voucher's alone. */
const numbered = ({ certificate_id, verify_id }: Fact | Known): boolean => certificate_id !== verify_id;
const MINUTE_MS = 60_000;
/** Sheets write moments to the second or to the minute. */
const sameMoment = (one: string, other: string): boolean => Math.abs(Date.parse(one) - Date.parse(other)) < MINUTE_MS;

async function checkRows(tx: Transaction, scope: Scope, rows: readonly Row[]): Promise<Verdict<Value>[]> {
  const { service_provider_id, merchant_id } = wholeMerchant(scope);
  const storeOf = await storesNamed(
    tx,
    scope,
    rows.map(({ store }) => store),
  );
  const certificates = new Set(rows.map(({ certificateId }) => certificateId));
  const moments = rows.map(({ at }) => at).toSorted();
  const found = await sql<Known>`select e.platform, e.kind, e.certificate_id, e.verify_id, e.part, e.store_id, e.face_cents, e.pay_cents,
      e.merchant_ticket_cents, e.platform_ticket_cents, e.expected_fee_cents, e.goods_cents, e.happened_at from platform_entries e
    where e.service_provider_id = ${service_provider_id} and e.merchant_id = ${merchant_id}
      and (e.certificate_id = any(${[...certificates]}::text[])
        or e.happened_at between ${moments[0] ?? null} and ${moments.at(-1) ?? null} and e.happened_at = any(${moments}::timestamptz[]))`.execute(
    tx,
  );
  const ofThese = found.rows.filter(({ certificate_id }) => certificates.has(certificate_id));
  const known = new Map(ofThese.map((one) => [keyOf(one), one]));
  const elsewhere = new Set(found.rows.filter(({ certificate_id }) => !certificates.has(certificate_id)).map(momentOf));
  const closed = await closedDays(
    tx,
    scope,
    rows.map(({ at }) => shanghaiDay(at)),
  );
  const inSheet = new Map<string, PlatformEntry>();
  const verdicts = rows.map((given): Verdict<Value> => {
    const store = storeOf(given.store);
    if ("wrong" in store) return { errors: { store: store.wrong } };
    const wrong = signsOf(given);
    if (wrong) return { errors: wrong };
    const others = ofThese.filter(({ platform, certificate_id }) => platform === given.platform && certificate_id === given.certificateId);
    const use = useOf(given, others);
    // What is taken back leaves the store that has it.
    const entries = entriesOf(scope, given, given.entry === "reverse" && use ? use.store_id : store.id);
    if (others.some((one) => numbered(one) !== numbered(entries[0]!)))
      return { errors: { verifyId: "这张券已记过，核销编号与表里不同（一处有，一处没有）：像是列对应选得不一样" } };
    const unfit = unfitFor(use, given, { entry: entries[0]!, named: store.id });
    if (unfit) return { errors: unfit };
    const fresh: PlatformEntry[] = [];
    for (const entry of entries) {
      const one = known.get(keyOf(entry)) ?? inSheet.get(keyOf(entry));
      if (!one) fresh.push(entry);
      else {
        // A fact never changes: another amount under the same number is a person's to look at.
        if ((one.pay_cents ?? 0) !== (entry.pay_cents ?? 0) || (one.goods_cents ?? 0) !== (entry.goods_cents ?? 0))
          return { errors: { payCents: "这张券已记过，金额与表里不同" } };
        if (entry.kind !== "ledger" && !sameMoment(one.happened_at, entry.happened_at))
          return { errors: { verifyId: `同一券号又有一次${given.entry === "reverse" ? "撤销" : "核销"}，请选核销编号列` } };
      }
    }
    const day = shanghaiDay(given.at);
    if (fresh.length > 0 && closed.has(`${given.platform}|${day}`)) return { errors: { at: dayIsClosed(day) } };
    for (const entry of fresh) inSheet.set(keyOf(entry), entry);
    return fresh.length === 0 ? { there: true } : { value: fresh };
  });
  return doubted(verdicts, elsewhere);
}
/**
 * A sheet that was imported before with another column as 券号 brings nothing but uses that are there under other numbers, to the second and the
 * cent. A single one may be two vouchers of one guest; most of a sheet is not.
 */
function doubted(verdicts: readonly Verdict<Value>[], elsewhere: ReadonlySet<string>): Verdict<Value>[] {
  const like = (verdict: Verdict<Value>): boolean =>
    "value" in verdict && verdict.value.some((entry) => elsewhere.has(momentOf({ ...entry, pay_cents: entry.pay_cents ?? 0 })));
  const doubts = verdicts.filter(like).length;
  const fresh = verdicts.filter((verdict) => "value" in verdict).length;
  if (doubts < 2 || doubts * 2 <= fresh) return [...verdicts];
  return verdicts.map((verdict) =>
    like(verdict) ? { errors: { certificateId: "像是已用别的券号导入过（时间、门店、金额都相同），请核对券号列" } } : verdict,
  );
}
/** A sign that turns a fact round is no fact of this kind. */
function signsOf({ platform, entry, verifyId, payCents, goodsCents }: Row): Record<string, string> | undefined {
  if (platform === "ks" && entry !== "ledger") return { entry: "快手的核销由接口记，表格只收结算" };
  if (platform === "ks" && verifyId === undefined) return { verifyId: "快手的结算须有核销编号，才能对上它的核销" };
  if (entry !== "verify") return undefined;
  if (payCents < 0) return { payCents: "核销的金额不能是负数；撤销请在事项里写撤销" };
  return goodsCents < 0 ? { goodsCents: "核销的金额不能是负数；扣回请在事项里写结算" } : undefined;
}
/** The use that a row is about. */
const useOf = ({ certificateId, verifyId = certificateId }: Row, others: readonly Known[]): Known | undefined =>
  others.find(({ kind, verify_id }) => (kind === "verify" || kind === "external") && verify_id === verifyId);
/** A reversal takes back a use that is known, after it, at its store, and no more than it was; a bill of 快手 pays a use that the interface brought. */
function unfitFor(
  use: Known | undefined,
  given: Row,
  { entry, named }: { readonly entry: PlatformEntry; readonly named: string | null },
): Record<string, string> | undefined {
  if (given.entry === "ledger") return given.platform === "ks" && !use ? { verifyId: "没有这次核销，请核对券号和核销编号" } : undefined;
  if (given.entry !== "reverse") return undefined;
  if (!use) return { certificateId: "没有这张券的核销，请先导入核销" };
  if (named !== null && named !== use.store_id) return { store: "与核销时的门店不同；撤销可以留空" };
  if (use.happened_at > given.at) return { at: "撤销早于核销" };
  if (use.pay_cents !== entry.pay_cents) return { payCents: "与核销时的用户实付不同" };
  const more = MONEY_OF_USES.find(([column]) => (entry[column] ?? 0) > use[column]);
  return more && { [more[1]]: "超过核销时的金额" };
}
const MONEY_OF_USES = [
  ["face_cents", "faceCents"],
  ["merchant_ticket_cents", "merchantTicketCents"],
  ["platform_ticket_cents", "platformTicketCents"],
  ["expected_fee_cents", "feeCents"],
] as const;
