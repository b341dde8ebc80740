import { sql } from "kysely";
import { z } from "zod";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { line } from "@zhangfang/contract/fields.ts";
import { centsOf } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { cashierFacts, cashierShift, type openCashier } from "../contract.ts";
import { makeCashier } from "./write-cashiers.ts";

type NewCashier = ParsedOf<typeof openCashier>;
const COLUMNS: readonly ImportColumn[] = [
  { key: "storeNumber", label: "门店编号", also: ["门店"], required: true, example: "6123456789", width: 14 },
  { key: "code", label: "收银员编号", also: ["编号", "工号"], required: true, unique: true, example: "C001", width: 14 },
  { key: "name", label: "姓名", also: ["收银员", "收银员姓名"], required: true, example: "李秀英", width: 12 },
  { key: "shift", label: "班次", example: "早班", help: "早班、中班、晚班或不分班", width: 10 },
  { key: "payMost", label: "单笔收款上限", example: "5000.00", help: "元；留空为不限", width: 16 },
  { key: "offMost", label: "单笔手工优惠上限", example: "20.00", help: "元；留空为不限，0 为不能手工优惠", width: 18 },
  { key: "refundMost", label: "单笔退款上限", example: "200.00", help: "元；留空为不限，0 为不能退款", width: 16 },
  { key: "refundDay", label: "当日退款限额", example: "1000.00", help: "元；留空为不限，0 为不能退款", width: 16 },
];
const SHIFTS = new Map(
  cashierShift.options.flatMap(({ value, label }) => [[label, value] as const, [label.replace("班", ""), value] as const]),
);
const yuanCell = (of: z.ZodType) =>
  z
    .string()
    .transform((text) => centsOf(text) ?? Number.NaN)
    .pipe(z.number({ error: "金额写成 200.00" }).pipe(of as z.ZodType<never, number>))
    .optional();
const row = z.object({
  storeNumber: line(20, 1, "请填写门店编号"),
  code: cashierFacts.code,
  name: cashierFacts.name,
  shift: line(8)
    .refine((text) => SHIFTS.has(text), "班次为早班、中班、晚班或不分班")
    .optional(),
  payMost: yuanCell(cashierFacts.payMostCents),
  offMost: yuanCell(cashierFacts.offMostCents),
  refundMost: yuanCell(cashierFacts.refundMostCents),
  refundDay: yuanCell(cashierFacts.refundDayCents),
});
type Row = z.output<typeof row>;

/** Cashiers from a sheet, each at a store by its number. */
export const cashierImport: ImportSource<typeof row, NewCashier> = {
  name: "cashiers",
  title: "收银员",
  unit: "人",
  access: "/cashier/cashier/import",
  screen: "/cashier/cashier",
  columns: () => COLUMNS,
  row,
  titleKey: "name",
  check: checkRows,
  async create(author, tx, value) {
    const { id, told } = await makeCashier(author, tx, value);
    await author.audit(tx, told);
    return id;
  },
};

/** Somebody of the same code, name and store is there already; a code that another has is taken. */
async function checkRows(tx: Transaction, scope: Scope, rows: readonly Row[]): Promise<Verdict<NewCashier>[]> {
  const { rows: stores } = await sql<{ id: string; number: string }>`select s.id, s.number from stores s
    where ${inScope(scope, "s")} and s.state = 'active' and s.number = any(${rows.map(({ storeNumber }) => storeNumber)}::text[])`.execute(
    tx,
  );
  const { rows: known } = await sql<{
    code: string;
    name: string;
    store: string;
  }>`select c.code, c.name, c.store_id as store from cashiers c
    where ${inScope(scope, "c", "store")} and c.code = any(${rows.map(({ code }) => code)}::text[])`.execute(tx);
  return rows.map((given): Verdict<NewCashier> => {
    const store = stores.find(({ number }) => number === given.storeNumber);
    if (!store) return { errors: { storeNumber: `没有在用的门店「${given.storeNumber}」` } };
    const there = known.find(({ code }) => code === given.code);
    if (there && there.name === given.name && there.store === store.id) return { there: true };
    if (there) return { errors: { code: `收银员编号 ${given.code} 在本商户已使用` } };
    const limits = {
      payMostCents: given.payMost ?? null,
      offMostCents: given.offMost ?? null,
      refundMostCents: given.refundMost ?? null,
      refundDayCents: given.refundDay ?? null,
    };
    return { value: { storeId: store.id, code: given.code, name: given.name, shift: SHIFTS.get(given.shift ?? "") ?? 0, ...limits } };
  });
}
