import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { FirstStep, TodoKind } from "../../../todos/server/index.ts";
import { atOpenStore, isOnline } from "./device-columns.ts";

const OFFLINE = "/device/list?online=2&state=active&place=open";
/** Devices that were there and are not; one that was never seen is no to-do. */
export const deviceTodos: readonly TodoKind[] = [
  {
    key: "devices-offline",
    urgency: 2,
    unit: "台",
    title: "设备离线",
    act: "去查看",
    access: "/device/list",
    to: OFFLINE,
    opens: (id) => `${OFFLINE}&id=${id}`,
    waits: ({ scope, now_ms }) => ({
      from: sql`devices d join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id`,
      where: all([inScope(scope, "d", "store"), sql`d.state = 'active'`, isOnline(now_ms, 2), atOpenStore]),
      id: sql`d.id`,
      title: sql`concat(s.short_name, ' ', coalesce(nullif(d.name, ''), d.sn))`,
      since: sql`d.last_seen_at`,
    }),
  },
];

export const deviceStep: FirstStep = {
  key: "device",
  at: 40,
  title: "绑定收银设备",
  why: "设备绑到门店，就能在柜台上收款",
  levels: ["SP", "MCH"],
  access: "/device/list/bind",
  to: "/device/list?panel=bind",
  done: (scope) => sql<boolean>`exists (select from devices d where ${inScope(scope, "d", "store")} and d.state = 'active')`,
};
