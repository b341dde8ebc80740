import { sql } from "kysely";
import { z } from "zod";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { isUnknown, mustSeeWhole, shownNumber } from "../rows.ts";
import { decide, noted, propose, recordUnknowns } from "./resolve-differences.ts";

const columns: readonly ImportColumn[] = [
  {
    key: "id",
    label: "差异编号",
    required: true,
    unique: true,
    example: "01a1f71c-7600-7000-8000-0123456789ab",
    help: "导出文件里的差异编号，不要改",
    width: 40,
  },
  { key: "number", label: "单号", example: "P202611201200001234567890", help: "填了就须与差异编号是同一条", width: 30 },
  { key: "how", label: "处理方式", example: "核销", help: "核销、同意核销、退回核销、未知收款；不填的行不处理", width: 16 },
  { key: "reason", label: "说明", example: "顾客已现金补差价", help: "核销时必填", width: 30 },
  { key: "looker", label: "追查人", example: "", help: "未知收款时必填", width: 12 },
];
/** What people write, and what an export writes. */
const WAYS = new Map<string, "write-off" | "approve" | "reject" | "unknown">([
  ["核销", "write-off"],
  ["申请核销", "write-off"],
  ["同意核销", "approve"],
  ["退回核销", "reject"],
  ["退回", "reject"],
  ["未知收款", "unknown"],
  ["登记为未知收款", "unknown"],
]);
const row = z.object({
  id: z.uuid("差异编号不正确"),
  number: z.string().max(64).optional(),
  how: z.string().max(20).optional(),
  reason: z.string().max(200, "不能超过 200 个字").optional(),
  looker: z.string().max(32, "不能超过 32 个字").optional(),
});
interface Value {
  readonly id: string;
  readonly way: "write-off" | "approve" | "reject" | "unknown";
  readonly reason: string | undefined;
  readonly looker: string | undefined;
}
interface Known {
  readonly id: string;
  readonly status: string;
  readonly class: string;
  readonly order_id: string | null;
  readonly hint: string | null;
  readonly closed: boolean;
  readonly number: string;
  readonly proposed_by: string | null;
}

/** The differences as they come back from a spreadsheet, each with what is to be done; the same rules as on the screen, one by one. */
export const resolutionImport: ImportSource<typeof row, Value> = {
  name: "recon-resolutions",
  title: "差异处理",
  unit: "条",
  access: "/reconciliation/bill/resolve",
  screen: "/reconciliation/bill",
  columns: () => columns,
  row,
  titleKey: "number",
  async check(tx, scope, rows, person) {
    const known = await read(
      tx,
      scope,
      rows.map(({ id }) => id),
    );
    return rows.map((given) => judge(given, known.get(given.id), person));
  },
  async create(author, tx, { id, way, reason, looker }) {
    const rows =
      way === "write-off"
        ? await propose(tx, author, [id], reason ?? "")
        : way === "unknown"
          ? await recordUnknowns(tx, author, [id], looker ?? "", reason)
          : await decide(tx, author, [id], way === "approve", reason);
    await author.audit(tx, { ...noted(rows), after: { way, reason, looker } });
    return id;
  },
};

async function read(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<Map<string, Known>> {
  mustSeeWhole(scope);
  const { rows } =
    await sql<Known>`select d.id, d.status, d.class, d.order_id, d.hint, ${shownNumber("d")} as number, d.proposed_by, y.status = 'closed' as closed from recon_differences d
      join recon_days y on y.service_provider_id = d.service_provider_id and y.id = d.day_id
    where d.id = any(${ids}::uuid[]) and ${inScope(scope, "d", "merchant")}`.execute(tx);
  return new Map(rows.map((one) => [one.id, one]));
}
/** A spreadsheet writes long numbers as 4.2E+27; such a cell says nothing of which difference it is. */
const shortened = (number: string): boolean => /^[\d.]+E\+\d+$/i.test(number);

function judge(given: z.output<typeof row>, known: Known | undefined, person: string): Verdict<Value> {
  if (!known) return { errors: { id: "没有这条差异" } };
  if (given.how === undefined) return { there: true };
  const way = WAYS.get(given.how);
  // A column that was sorted alone would settle another difference than the one it was meant for.
  if (given.number !== undefined && given.number !== known.number && !shortened(given.number))
    return { errors: { number: `这个差异编号的单号是 ${known.number}，请核对是否错行` } };
  if (way === "reject" && known.status === "resolved") return { errors: { how: "已处理，不能再退回" } };
  // It is done: the same sheet again changes nothing.
  if (known.status === "resolved" || (way === "write-off" && known.status === "proposed")) return { there: true };
  if (way === undefined) return { errors: { how: "处理方式须为核销、同意核销、退回核销或未知收款" } };
  if (known.closed) return { errors: { id: "这天已关账" } };
  const errors = faultsOf(way, given, known, person);
  return errors ? { errors } : { value: { id: given.id, way, reason: given.reason, looker: given.looker } };
}
function faultsOf(
  way: Value["way"],
  { reason = "", looker = "" }: z.output<typeof row>,
  known: Known,
  person: string,
): Readonly<Record<string, string>> | undefined {
  if (way === "write-off") return reason.length < 2 ? { reason: "请填写核销原因" } : undefined;
  if (way === "unknown") {
    if (!isUnknown(known)) return { how: "只有本地没有单号的通道收款可以登记为未知收款" };
    if (known.status === "proposed") return { how: "已申请核销，退回后才能登记为未知收款" };
    return looker.length < 2 ? { looker: "请填写由谁追查" } : undefined;
  }
  if (known.status !== "proposed") return { how: "还没有申请核销" };
  return way === "approve" && known.proposed_by === person ? { how: "核销须由申请人以外的人复核" } : undefined;
}
