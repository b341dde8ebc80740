import { sql } from "kysely";
import { z } from "zod";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/import-source.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import { inScope, type Scope } from "@zhangfang/server/scope.ts";
import { mustSeeWhole } from "../rows.ts";
import { decide, propose, recordUnknowns } from "./resolve-differences.ts";

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
  { key: "number", label: "单号", example: "P202611201200001234567890", width: 30 },
  { key: "how", label: "处理方式", example: "核销", help: "核销、同意核销、退回核销、未知收款；不填的行不处理", width: 16 },
  { key: "reason", label: "说明", example: "顾客已现金补差价", help: "核销时必填", width: 30 },
  { key: "looker", label: "追查人", example: "", help: "未知收款时必填", width: 12 },
];
/** What people write, and what an export writes. */
const WAYS: Readonly<Record<string, "write-off" | "approve" | "reject" | "unknown">> = {
  核销: "write-off",
  申请核销: "write-off",
  同意核销: "approve",
  退回核销: "reject",
  退回: "reject",
  未知收款: "unknown",
  登记为未知收款: "unknown",
};
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
  readonly closed: boolean;
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
  async check(tx, scope, rows) {
    const known = await read(
      tx,
      scope,
      rows.map(({ id }) => id),
    );
    return rows.map((given) => judge(given, known.get(given.id)));
  },
  async create(author, tx, { id, way, reason, looker }) {
    if (way === "write-off") await propose(tx, author, [id], reason ?? "");
    else if (way === "unknown") await recordUnknowns(tx, author, [id], looker ?? "", reason);
    else await decide(tx, author, [id], way === "approve", reason);
    await author.audit(tx, { targetKind: "recon_differences", targetId: id, after: { way, reason, looker } });
    return id;
  },
};

async function read(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<Map<string, Known>> {
  mustSeeWhole(scope);
  const { rows } = await sql<Known>`select d.id, d.status, d.class, d.order_id, y.status = 'closed' as closed from recon_differences d
      join recon_days y on y.service_provider_id = d.service_provider_id and y.id = d.day_id
    where d.id = any(${ids}::uuid[]) and ${inScope(scope, "d", "merchant")}`.execute(tx);
  return new Map(rows.map((one) => [one.id, one]));
}
function judge(given: z.output<typeof row>, known: Known | undefined): Verdict<Value> {
  if (!known) return { errors: { id: "没有这条差异" } };
  const way = given.how === undefined ? undefined : WAYS[given.how];
  // Nothing is asked for, or it is done: the same sheet again changes nothing.
  if (given.how === undefined || known.status === "resolved" || (way === "write-off" && known.status === "proposed"))
    return { there: true };
  if (way === undefined) return { errors: { how: "处理方式须为核销、同意核销、退回核销或未知收款" } };
  if (known.closed) return { errors: { id: "这天已关账" } };
  if ((way === "approve" || way === "reject") && known.status !== "proposed") return { errors: { how: "还没有申请核销" } };
  if (way === "write-off" && (given.reason ?? "").length < 2) return { errors: { reason: "请填写核销原因" } };
  if (way === "unknown" && (known.class !== "channel-only" || known.order_id !== null))
    return { errors: { how: "只有本地没有单号的渠道收款可以登记为未知收款" } };
  if (way === "unknown" && (given.looker ?? "").length < 2) return { errors: { looker: "请填写由谁追查" } };
  return { value: { id: given.id, way, reason: given.reason, looker: given.looker } };
}
