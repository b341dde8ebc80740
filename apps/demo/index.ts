import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { postCommissions } from "@zhangfang/domains/commissions/server/index.ts";
import { findAbnormalStores } from "@zhangfang/domains/statistics/server/index.ts";
import type { Config } from "@zhangfang/server/config.ts";
import { openPool, withScope, type PoolOptions } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { playAds } from "./ads/ad-plays.ts";
import { placeAds } from "./ads/ads.ts";
import { fetchBills } from "./orders/bills.ts";
import { demoDays, writeHistory } from "./history.ts";
import { fillShelves } from "./goods.ts";
import { bindHardware, handOver, openChannels, playToday } from "./live.ts";
import { clearUnfinished, holdMaking, markBegun, markProgress } from "./mark.ts";
import { bookOf } from "./simulators.ts";
import { SP01_MERCHANTS, SP02_MERCHANTS, type MerchantLogin } from "./tree/tree-plan.ts";
import { giveOrders, makeMembers } from "./members/members.ts";
import { fillCoupons } from "./members/coupons.ts";
import { fillAuthorised, introduceAll } from "./members/authorised.ts";
import { fillFans } from "./members/fans.ts";
import { fillApplyments } from "./tree/applyments.ts";
import { fillNotes } from "./members/group-notes.ts";
import { fillInvoices } from "./invoices.ts";
import { fillLotteries } from "./members/lotteries.ts";
import { settleCoupons, sellByCoupons } from "./orders/coupon-months.ts";
import { matchPlatforms } from "./orders/platform-days.ts";
import { fillPlatforms } from "./orders/platforms.ts";
import { fillPushes } from "./orders/pushes.ts";
import { fillWorth } from "./members/worth.ts";
import { fillCards } from "./tree/cards.ts";
import { giveTerms } from "./tree/terms.ts";
import { sayOfMaterials } from "./ads/materials.ts";
import { setShifts } from "./tree/staff.ts";
import { openSharing, shareAndRefund } from "./orders/sharing.ts";
import { buildTree, type DemoTree } from "./tree/tree.ts";
import { stockDevices } from "./stock.ts";
import { fillGroupBuy } from "./orders/group-buy.ts";
import { fillStoreDays } from "./closing/store-days.ts";
import { fillTakeaway } from "./orders/takeaway.ts";
import { withdraw } from "./orders/withdraw.ts";

export { keepSimulatorPort, startSimulators, type Simulators } from "./simulators.ts";
export { DEMO_PASSWORD } from "./tree/tree-plan.ts";

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

/** What is known when the demo world is about to be filled. */
interface World {
  /** With a pool of its own: neither requests nor jobs have to share theirs with it. */
  readonly services: Services;
  readonly tree: DemoTree;
}
type Say = (line: string) => void;
const [POOL, POOL_WAIT_MS] = [6, 60_000];

/**
 * Takes away the demo world that a former start did not finish, before anybody uses the database.
 * @returns whether it did, and the schema is to be made again
 */
export async function clearHalfMade(owner: PoolOptions["connection"], config: Config, say: Say): Promise<boolean> {
  const found = await clearUnfinished(owner);
  if (found === "in-work") say("另一个进程正在准备演示数据");
  if (found === "kept") say("上次启动没有把演示数据做完，但其中已有人操作过，因此保留现状，不再补齐。要重新准备，请换一个 DATA_DIR");
  if (found !== "cleared") return false;
  say("上次启动没有把演示数据做完，现在清除并重新准备");
  // What the simulated channels know of it goes with it.
  rmSync(dirname(bookOf(config)), { recursive: true, force: true });
  return true;
}

/**
 * Begins the demo world where nobody has been yet: its accounts are there when this returns, so that people can sign in.
 * @returns what fills it, or tells the simulators again of a world that is there: it needs the service listening and taking jobs, and the simulators running
 */
export async function beginDemoWorld(services: Services, connection: PoolOptions["connection"]): Promise<(say: Say) => Promise<void>> {
  const pool = openPool({ connection, size: POOL, wait_ms: POOL_WAIT_MS });
  // What makes the past and what makes members and shelves meet at rows of their provider: whoever comes second waits for a whole batch.
  pool.on("connect", (client) => void client.query(`set lock_timeout = ${POOL_WAIT_MS}`).catch(() => {}));
  const release = await holdMaking(pool);
  const close = async () => {
    release?.();
    await pool.end();
  };
  if (!release || !(await isEmptyWorld(services))) {
    await close();
    return () => introduceAll(services).catch((error: unknown) => services.log.warn({ err: error }, "the simulator knows no component"));
  }
  const own = { ...services, pool };
  const now_ms = services.clock.now_ms();
  // The shops were there before their first order.
  const opened_ms = now_ms - OPENED_DAYS * 86_400_000;
  const tree = await buildTree({ ...own, clock: { now_ms: () => opened_ms } }, (tx) => markBegun(tx, new Date(now_ms).toISOString()));
  return async (say) => {
    try {
      await fillWorld({ services: own, tree }, say);
    } finally {
      await close();
    }
  };
}

async function isEmptyWorld(services: Services): Promise<boolean> {
  const found = await withScope(services.pool, platformScope("is the world empty"), (tx) =>
    tx.selectFrom("users").select("id").limit(1).executeTakeFirst(),
  );
  return found === undefined;
}

/** Past, present and the rest through the product's own functions: ninety days of orders, and the last hour through tills and simulator over HTTP. */
async function fillWorld({ services, tree }: World, say: Say): Promise<void> {
  const started_ms = performance.now();
  say(`演示数据准备中（2 个服务商、8 个商户、20 家门店、${demoDays()} 天订单），约需一分钟，现在就可以登录`);
  const reached = tellProgress(services, say);
  await giveTerms(services, tree);
  const channels = await openChannels(services, tree);
  await bindHardware(services, tree);
  const ads = async () => {
    await stockDevices(services, tree);
    await placeAds(services, tree);
    await sayOfMaterials(services);
    await playAds(services);
    await fillShelves(services, tree);
  };
  const history = writeHistory(services, tree, tradesOfMerchants(tree), (part) => reached(Math.floor(part * 70)), channels.takes);
  const [past, members] = await Promise.all([history, makeMembers(services, tree), ads()]);
  await findAbnormalStores.run(services, {});
  past.push(...(await sellByCoupons(services, tree)));
  await handOver(services, tree, channels, past);
  await reached(73);
  // None of these looks at what another one makes: each waits for jobs and answers of its own most of the time.
  const books = Object.values(tree.providers).map((provider) => postCommissions(services, provider));
  const today = async () => {
    await fetchBills(services, tree, channels, past);
    await openSharing(services, tree);
    await playToday(services, tree);
    await reached(85);
    await shareAndRefund(services, tree, channels, past);
  };
  const screens = async () => {
    await fillPlatforms(services, tree);
    await fillTakeaway(services, tree);
    await fillGroupBuy(services, tree);
    await fillAuthorised(services, tree);
  };
  const people = async () => {
    await giveOrders(services, tree, members);
    // Before the cards: what opening one gives is a balance too, and who recharges here has none yet.
    await fillWorth(services, tree);
    await settleCoupons(services);
    await fillCoupons(services, tree);
    await fillLotteries(services, tree);
    await fillCards(services, tree);
    await fillFans(services, tree);
    await fillNotes(services);
  };
  await Promise.all([...books, today(), screens(), people(), fillInvoices(services, tree), fillApplyments(services, tree, channels)]);
  await fillPushes(services, tree);
  // After all refunds of today: the limits that it gives cashiers would refuse them.
  await setShifts(services, tree);
  await fillStoreDays(services, tree);
  await matchPlatforms(services, tree);
  await reached(97);
  await withdraw(services, tree);
  await reached(100);
  say(`演示数据已就绪：${past.length} 笔已支付的历史订单，用时 ${Math.round((performance.now() - started_ms) / 1000)} 秒`);
}

const tradesOfMerchants = (tree: DemoTree): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...SP01_MERCHANTS, ...SP02_MERCHANTS }).map(([login, { trade }]) => [
      tree.merchants[login as MerchantLogin].id,
      trade,
    ]),
  );

/** Writes down each percent that is new, and says each tenth. */
function tellProgress(services: Services, say: Say): (percent: number) => Promise<void> {
  let known = 0;
  return async (percent) => {
    if (percent <= known) return;
    if (Math.floor(percent / 10) > Math.floor(known / 10) && percent < 100) say(`  演示数据 ${percent - (percent % 10)}%`);
    known = percent;
    await markProgress(services, percent);
  };
}
