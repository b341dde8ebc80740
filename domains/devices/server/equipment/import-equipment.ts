import { sql } from "kysely";
import { z } from "zod";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { line } from "@zhangfang/contract/fields.ts";
import type { Author } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { type bindDevice, cashierMode, type DeviceModel, deviceModel, serialNumber } from "../../contract/index.ts";
import { bindPiece } from "../list/bind-device.ts";
import { whyNot } from "./equipment-rules.ts";
import { type Held, knownNumbers, type Moving, takeIn } from "./move-equipment.ts";
import { equipmentInScope } from "./read-equipment.ts";

const SN: ImportColumn = {
  key: "sn",
  label: "设备编号",
  also: ["SN", "序列号", "编号"],
  required: true,
  unique: true,
  example: "ZF-N0001",
  width: 20,
};
const MODELS = deviceModel.values.join("、");
const moving = (author: Author, tx: Transaction): Moving => ({ ...author, tx });

interface NewPiece {
  readonly sn: string;
  readonly model: DeviceModel;
  readonly batch?: string | undefined;
}
const pieceRow = z.object({
  sn: serialNumber,
  model: line(32, 1, "请填写型号").refine((text) => (deviceModel.values as readonly string[]).includes(text), `型号为 ${MODELS} 之一`),
  batch: line(32).optional(),
});
/** 入库 by sheet: a thing a line, into the stock of whoever imports. */
export const equipmentImport: ImportSource<typeof pieceRow, NewPiece> = {
  name: "equipment",
  title: "入库设备",
  unit: "台",
  access: "/cashier/equipment/intake",
  screen: "/cashier/equipment",
  columns: () => [
    SN,
    { key: "model", label: "型号", required: true, example: "XY-L1", help: MODELS, width: 18 },
    { key: "batch", label: "批次", also: ["批次号"], example: "2026-11", width: 12 },
  ],
  row: pieceRow,
  titleKey: "sn",
  async check(tx, scope, rows) {
    const known = await knownNumbers(
      tx,
      scope,
      rows.map(({ sn }) => sn),
    );
    return rows.map(({ sn, model, batch }) =>
      known.own.has(sn)
        ? { there: true as const }
        : known.elsewhere.has(sn)
          ? { errors: { sn: known.why([sn]) } }
          : { value: { sn, model: model as DeviceModel, batch } },
    );
  },
  async create(author, tx, { sn, model, batch }) {
    const id = await takeIn(moving(author, tx), [sn], { model, batch });
    await author.audit(tx, { targetKind: "equipment", targetId: id, after: { 型号: model, 数量: 1, 批次: batch ?? null } });
    return id;
  },
};

type Binding = ParsedOf<typeof bindDevice>;
const modeOf = (text: string | undefined) => cashierMode.options.find(({ label }) => label === text || label === `${text}收银`)?.value;
const bindingRow = z.object({
  sn: serialNumber,
  storeNumber: line(20, 1, "请填写门店编号"),
  name: line(32, 1, "请填写名称"),
  mode: line(8)
    .refine((text) => modeOf(text) !== undefined, `收银方式为${cashierMode.options.map(({ label }) => label).join("、")}`)
    .optional(),
});
type BindingRow = z.output<typeof bindingRow>;
/** 绑定 by sheet: things out of stock, each to a store by its number. Keys are not made here; they are told by 更换密钥. */
export const bindingImport: ImportSource<typeof bindingRow, Binding> = {
  name: "device-bindings",
  title: "绑定设备",
  unit: "台",
  access: "/device/list/bind",
  screen: "/device/list",
  columns: () => [
    SN,
    { key: "storeNumber", label: "门店编号", also: ["门店"], required: true, example: "6123456789", width: 14 },
    { key: "name", label: "名称", also: ["设备名称"], required: true, example: "前台收银机", width: 16 },
    { key: "mode", label: "收银方式", example: "独立收银", help: "自助收银、独立收银或插件收银，留空为独立收银", width: 12 },
  ],
  row: bindingRow,
  titleKey: "sn",
  check: checkBindings,
  async create(author, tx, value) {
    const { id, told } = await bindPiece(moving(author, tx), value);
    await author.audit(tx, told);
    return id;
  },
};

async function checkBindings(tx: Transaction, scope: Scope, rows: readonly BindingRow[]): Promise<Verdict<Binding>[]> {
  const { rows: stores } = await sql<{ id: string; number: string; service_provider_id: string; merchant_id: string }>`
    select s.id, s.number, s.service_provider_id, s.merchant_id from stores s
    where ${inScope(scope, "s")} and s.state = 'active' and s.number = any(${rows.map(({ storeNumber }) => storeNumber)}::text[])`.execute(
    tx,
  );
  const { rows: pieces } = await sql<Held & { store_id: string | null }>`
    select e.id, e.sn, e.model, e.state, e.service_provider_id, e.merchant_id, d.store_id from equipment e
    left join devices d on d.service_provider_id = e.service_provider_id and d.id = e.device_id
    where ${equipmentInScope(scope)} and e.sn = any(${rows.map(({ sn }) => sn)}::text[])`.execute(tx);
  return rows.map(({ sn, storeNumber, name, mode }): Verdict<Binding> => {
    const store = stores.find(({ number }) => number === storeNumber);
    const piece = pieces.find((one) => one.sn === sn);
    const errors: Record<string, string> = {};
    if (!store) errors["storeNumber"] = `没有在用的门店「${storeNumber}」`;
    if (!piece) errors["sn"] = `库存里没有设备「${sn}」`;
    if (!store || !piece) return { errors };
    if (piece.state === 1 && piece.store_id === store.id) return { there: true };
    const foreign =
      piece.service_provider_id !== store.service_provider_id || (piece.merchant_id !== null && piece.merchant_id !== store.merchant_id);
    const why = whyNot("bind", piece, scope) ?? (foreign ? `${sn} 在别的商户名下，请先退回` : undefined);
    if (why !== undefined) return { errors: { sn: why } };
    return { value: { sn, storeId: store.id, name, cashierMode: modeOf(mode) ?? 2 } };
  });
}
