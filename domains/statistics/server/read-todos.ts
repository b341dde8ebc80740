import { sql } from "kysely";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Todo } from "../contract/index.ts";
import { isOnline } from "../../devices/server/index.ts";

/** The screen that shows what waits, and the item that opens it. */
const SCREENS: Readonly<Record<Todo, readonly [href: string, item: ItemPath]>> = {
  refundsToApprove: ["#/dataCentre/refund", "/dataCentre/refund"],
  refundsFailed: ["#/dataCentre/payRefund?status=3&from=&to=", "/dataCentre/payRefund"],
  devicesOffline: ["#/device/list?online=2&state=active", "/device/list"],
  contractsEnding: ["#/admin/serviceProvider?expiring=true", "/admin/serviceProvider"],
  applymentsRejected: ["#/applyment/info?state=REJECTED", "/applyment/info"],
  applymentsRefused: ["#/applyment/info?state=EDITTING", "/applyment/info"],
  applymentsToConfirm: ["#/applyment/info?state=TO_BE_CONFIRMED", "/applyment/info"],
  applymentsToScan: ["#/applyment/info?state=TO_BE_SIGNED", "/applyment/info"],
  abnormalStores: ["#/store/abnormal?status=0", "/store/abnormal"],
};

/** What is for others to do: whoever can open no list of it is not told of it. */
const NOT_THEIRS: readonly Todo[] = [
  "abnormalStores",
  "contractsEnding",
  "applymentsRejected",
  "applymentsRefused",
  "applymentsToConfirm",
  "applymentsToScan",
];
/** What waits for somebody in the caller's scope; zeros too, so that the list keeps its shape. */
export async function readTodos({ tx, scope, now_ms, principal }: Ctx) {
  const today = shanghaiDay(now_ms);
  const { rows } = await sql<Record<Todo, number>>`select
    (select count(*) from refunds r where ${inScope(scope, "r")} and r.status = 0) as "refundsToApprove",
    (select count(*) from refunds r where ${inScope(scope, "r")} and r.status = 3) as "refundsFailed",
    (select count(*) from devices d where ${inScope(scope, "d", "store")} and d.state = 'active'
      and ${isOnline(now_ms, 2)}) as "devicesOffline",
    (select count(*) from abnormal_stores a where ${inScope(scope, "a", "store")} and a.status = 0) as "abnormalStores",
    (select count(*) from applyments a where ${inScope(scope, "a", "merchant")} and a.state = 'REJECTED' and not a.unsent and not a.unheard) as "applymentsRejected",
    (select count(*) from applyments a where ${inScope(scope, "a", "merchant")} and a.state = 'EDITTING' and not a.unsent and not a.unheard) as "applymentsRefused",
    (select count(*) from applyments a where ${inScope(scope, "a", "merchant")} and a.state = 'TO_BE_CONFIRMED') as "applymentsToConfirm",
    (select count(*) from applyments a where ${inScope(scope, "a", "merchant")} and a.state = 'TO_BE_SIGNED') as "applymentsToScan",
    (select count(*) from service_providers p where ${scope.level === "ADMIN"} and p.contract_state = 'signed'
      and p.contract_until between ${today}::date and ${addDays(today, 30)}::date) as "contractsEnding"`.execute(tx);
  return (Object.keys(SCREENS) as Todo[]).flatMap((key) => {
    const [screen, item] = SCREENS[key];
    const href = principal.holds([item]) ? screen : null;
    return href === null && NOT_THEIRS.includes(key) ? [] : [{ key, count: rows[0]?.[key] ?? 0, href }];
  });
}
