import { postCommissions } from "@zhangfang/domains/commissions/server/index.ts";
import { findAbnormalStores } from "@zhangfang/domains/statistics/server/index.ts";
import { withScope } from "@zhangfang/server/db.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { playAds } from "./ad-plays.ts";
import { placeAds } from "./ads.ts";
import { fetchBills } from "./bills.ts";
import { writeHistory } from "./history.ts";
import { bindHardware, handOver, openChannels, playToday } from "./live.ts";
import { SP01_MERCHANTS, SP02_MERCHANTS } from "./tree-plan.ts";
import { giveTerms } from "./terms.ts";
import { sayOfMaterials } from "./materials.ts";
import { setShifts } from "./staff.ts";
import { patient } from "./patient.ts";
import { openSharing, shareAndRefund } from "./sharing.ts";
import { buildTree } from "./tree.ts";
import { stockDevices } from "./stock.ts";
import { withdraw } from "./withdraw.ts";

export { DEMO_PASSWORD } from "./tree-plan.ts";

const OPENED_DAYS = 120;

/** The accounts that the start prints. */
export const DEMO_ACCOUNTS = [
  { login: "admin", title: "平台" },
  { login: "sp01", title: "服务商 禾木智慧商业" },
  { login: "agent01", title: "代理商 锦城商务" },
  { login: "group01", title: "业务集团 西南" },
  { login: "team01", title: "业务团队 成渝直营" },
  { login: "mch01", title: "商户 蜀味川菜" },
  { login: "area01", title: "区域经理（蜀味川菜 城东区）" },
  { login: "emp01", title: "员工（蜀味川菜 春熙路店）" },
  { login: "sp02", title: "另一个服务商 云岸数字" },
  { login: "mch02", title: "它的商户 江南小笼" },
] as const;

/** Whether nobody has been here yet. */
export async function isEmptyWorld(services: Services): Promise<boolean> {
  const found = await withScope(services.pool, platformScope("is the world empty"), (tx) =>
    tx.selectFrom("users").select("id").limit(1).executeTakeFirst(),
  );
  return found === undefined;
}

/**
 * Makes the demo world through the product's own functions: the tree, ninety days of orders, and the last hour through
 * tills and simulator over HTTP. Needs the service listening and taking jobs, and the simulator running.
 */
export async function buildDemoWorld(services: Services, say: (line: string) => void): Promise<void> {
  const started = Date.now();
  say("正在准备演示数据（2 个服务商、8 个商户、20 家门店、90 天订单），约需一分钟……");
  // The shops were there before their first order.
  const opened_ms = services.clock.now_ms() - OPENED_DAYS * 86_400_000;
  const tree = await buildTree({ ...services, clock: { now_ms: () => opened_ms } });
  await giveTerms(services, tree);
  const channels = await openChannels(services, tree);
  await bindHardware(services, tree);
  const trades = Object.fromEntries(
    Object.entries({ ...SP01_MERCHANTS, ...SP02_MERCHANTS }).map(([login, plan]) => [
      tree.merchants[login as keyof typeof tree.merchants].id,
      plan.trade,
    ]),
  );
  let told = 0;
  const tell = (done: number) => {
    if (done - told >= 5_000) say(`  已写入 ${(told = done)} 笔订单`);
  };
  const past = await writeHistory(services, tree, trades, tell, channels.takes);
  await findAbnormalStores.run(services, {});
  for (const provider of Object.values(tree.providers)) await postCommissions(services, provider);
  await handOver(services, tree, channels, past);
  // From here on jobs need connections of the same pool.
  const waiting = { ...services, pool: patient(services.pool) };
  await fetchBills(waiting, tree, channels, past);
  await openSharing(waiting, tree);
  await playToday(waiting, tree);
  await shareAndRefund(waiting, tree, channels, past);
  await withdraw(waiting, tree);
  await stockDevices(waiting, tree);
  await placeAds(waiting, tree);
  await sayOfMaterials(waiting);
  await setShifts(waiting, tree);
  await playAds(waiting);
  say(`演示数据已就绪：${past.length} 笔已支付的历史订单，用时 ${Math.round((Date.now() - started) / 1000)} 秒`);
}
