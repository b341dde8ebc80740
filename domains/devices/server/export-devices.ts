import { z } from "zod";
import { exportColumn, fileOf, snapshotMoment, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { cashierMode, deviceFilters, deviceState, equipmentFilters, equipmentState, onlineState } from "../contract/index.ts";
import { equipmentListed, type EquipmentRead } from "./equipment/read-equipment.ts";
import type { DeviceRow } from "./list/device-columns.ts";
import { devicesListed } from "./list/read-devices.ts";

const deviceInput = z.object(deviceFilters);
const equipmentInput = z.object(equipmentFilters);

/** The list of devices as a file. */
export const deviceExport: ExportSource<typeof deviceInput> = {
  name: "devices",
  title: "设备列表",
  access: "/device/list/export",
  input: deviceInput,
  columns: [
    exportColumn("sn", "设备编号", 20),
    exportColumn("name", "名称", 18),
    exportColumn("model", "型号", 18),
    exportColumn("cashierMode", "收银方式", 12, "code"),
    exportColumn("cashierName", "收银员", 12),
    exportColumn("online", "在线", 8, "code"),
    exportColumn("lastSeenAt", "最近在线", 20, "time"),
    exportColumn("version", "版本", 12),
    exportColumn("storageFreeMb", "剩余空间（MB）", 14, "count"),
    exportColumn("storageTotalMb", "总空间（MB）", 14, "count"),
    exportColumn("storeName", "门店", 18),
    exportColumn("merchantName", "商户", 18),
    exportColumn("agentName", "代理商", 18),
    exportColumn("providerName", "服务商", 18),
    exportColumn("state", "状态", 8, "code"),
    exportColumn("createdAt", "登记时间", 20, "time"),
  ],
  ...fileOf(
    async (scope, filter: z.output<typeof deviceInput>, tx) => devicesListed(scope, await snapshotMoment(tx), filter),
    (row: DeviceRow) => ({
      ...row,
      cashierMode: cashierMode.label(row.cashierMode),
      online: onlineState.label(row.online),
      state: deviceState.label(row.state),
    }),
  ),
};

/** 设备台账 as a file. */
export const equipmentExport: ExportSource<typeof equipmentInput> = {
  name: "equipment",
  title: "设备台账",
  access: "/cashier/equipment/export",
  input: equipmentInput,
  columns: [
    exportColumn("sn", "设备编号", 20),
    exportColumn("model", "型号", 18),
    exportColumn("state", "状态", 10, "code"),
    exportColumn("providerName", "服务商", 18),
    exportColumn("merchantName", "商户", 18),
    exportColumn("storeName", "门店", 18),
    exportColumn("batch", "批次", 14),
    exportColumn("movedAt", "最近流转", 20, "time"),
    exportColumn("createdAt", "入库时间", 20, "time"),
  ],
  ...fileOf(equipmentListed, (row: EquipmentRead) => ({ ...row, state: equipmentState.label(row.state) })),
};
