import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { nameFan, takeFanEvent } from "@zhangfang/domains/wechat/server/index.ts";
import { openWire, untilDone } from "../live.ts";
import { signIn, type DemoTree } from "../tree/tree.ts";

const SCOPE = platformScope("demo fans");
const APP_ID = "wx5a68616e67666e67";
/** The simulator takes the secret with which it is asked first. */
const SECRET = "5a68616e6766616e6764656d6f000001";
const DAYS = 60;
const DAY_MS = 86_400_000;
const FANS = 360;
const AT_ONCE = 30;
const WAYS = ["ADD_SCENE_SEARCH", "ADD_SCENE_PAID", "ADD_SCENE_PROFILE_CARD", "ADD_SCENE_OTHERS"] as const;

interface Told {
  readonly openId: string;
  readonly event: "subscribe" | "unsubscribe" | "scan";
  readonly scene: string;
  readonly at_ms: number;
  /** The member whom they turned out to be. */
  readonly member_id?: string | undefined;
}
/** What WeChat told of some hundred followers in two months: most stay, some leave, a few on the same day, some come back. */
function past(now_ms: number, scenes: readonly string[], members: readonly string[]): Told[] {
  const told: Told[] = [];
  for (let n = 0; n < FANS; n++) {
    const openId = `oDemoFan${String(n).padStart(20, "0")}`;
    // More of them lately, all within opening hours.
    const ago = Math.floor(DAYS * (1 - Math.sqrt(((n * 37) % FANS) / FANS)));
    const at_ms = now_ms - (ago + 1) * DAY_MS - ((n * 7_919) % 28_800) * 1_000;
    const scene = n % 4 === 3 ? "" : scenes[(n + (n % 7) * (n % 3)) % scenes.length]!;
    told.push({ openId, event: "subscribe", scene, at_ms, member_id: n % 3 === 0 ? members[n / 3] : undefined });
    const left = n % 23 === 5 ? 1_800_000 : n % 6 === 1 ? ((n % 13) + 1) * DAY_MS : undefined;
    if (left !== undefined && at_ms + left < now_ms) told.push({ openId, event: "unsubscribe", scene: "", at_ms: at_ms + left });
    else if (n % 10 === 4) told.push({ openId, event: "scan", scene: scenes[n % scenes.length]!, at_ms: at_ms + DAY_MS });
    if (left !== undefined && n % 17 === 0 && at_ms + 2 * left < now_ms)
      told.push({ openId, event: "subscribe", scene: scenes[0]!, at_ms: at_ms + 2 * left });
  }
  return told.filter(({ at_ms }) => at_ms < now_ms).toSorted((a, b) => a.at_ms - b.at_ms);
}

/** An official account of the first merchant with its codes, and who follows it. */
export async function fillFans(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  const merchant = tree.merchants.mch01;
  const { serviceProviderId: service_provider_id, id: merchant_id, stores } = merchant;
  const headers = { authorization: `Bearer ${await signIn(services, "mch01")}` };
  const post = (path: string, body: object) => wire.post(`${api}/api/${path}`, body, headers);
  const requestId = () => services.ids.uuid(services.clock.now_ms());
  const { id } = (await post("wx-apps/add", { requestId: requestId(), appId: APP_ID, name: "蜀味川菜服务号", kind: 1 })) as { id: string };
  await post("wx-apps/secret", { id, revision: 1, secret: SECRET });
  await post("wx-apps/test", { id });
  const code = (given: object) => post("wx-fans/channels/add", { requestId: requestId(), appRow: id, ...given });
  await code({ kind: "store", storeIds: stores.map((store) => store.id) });
  await code({ kind: "table", storeIds: [stores[0]!.id], names: ["A1", "A2", "包间 1"] });
  await code({ kind: "employee", storeIds: [stores[0]!.id], names: ["王芳"] });
  await code({ kind: "campaign", names: ["十周年庆"], days: 30 });
  let scenes: string[] = [];
  await untilDone(async () => {
    const found = await withScope(services.pool, SCOPE, (tx) =>
      tx
        .selectFrom("wx_fan_channels")
        .select(["scene", "status"])
        .where("service_provider_id", "=", service_provider_id)
        .where("app_row", "=", id)
        .orderBy("created_at")
        .orderBy("name")
        .execute(),
    );
    scenes = found.map(({ scene }) => scene);
    if (found.some(({ status }) => status === 0)) throw new Error("not yet");
  });
  const members = await withScope(services.pool, SCOPE, (tx) =>
    tx
      .selectFrom("members")
      .select("id")
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("stage", "=", 1)
      .where("status", "=", 1)
      .orderBy("no")
      .limit(FANS / 3)
      .execute(),
  );
  const told = past(
    services.clock.now_ms(),
    scenes,
    members.map((member) => member.id),
  );
  const app = { service_provider_id, merchant_id, id };
  for (let from = 0; from < told.length; from += AT_ONCE)
    await withScope(services.pool, SCOPE, async (tx) => {
      for (const { openId, event, scene, at_ms, member_id } of told.slice(from, from + AT_ONCE)) {
        const then = { ...services, clock: { now_ms: () => at_ms } };
        const at = new Date(Math.floor(at_ms / 1_000) * 1_000).toISOString();
        const { fan_id } = await takeFanEvent(tx, then, app, { openId, event, scene, eventKey: scene, at });
        if (member_id !== undefined) await nameFan(tx, { service_provider_id, fan_id, member_id });
      }
    });
  await tellWechat(services, told);
  await post("wx-fans/sync", { id });
  await publishMenu(services, id, headers);
  await welcomeFans(services, stores[1]!.id, headers);
}

/** WeChat's side knows them too, so that its list is this one. */
async function tellWechat(services: Services, told: readonly Told[]): Promise<void> {
  const unheard = told.map(({ openId, event, scene, at_ms }, n) => ({
    openId,
    event,
    at: Math.floor(at_ms / 1_000),
    eventKey: event === "subscribe" && scene !== "" ? `qrscene_${scene}` : "",
    scene: WAYS[n % WAYS.length],
  }));
  await fetch(`http://127.0.0.1:${services.config.simulator_port + 2}/wechat-followers`, {
    method: "POST",
    body: JSON.stringify({ appId: APP_ID, unheard }),
  });
}
/** 自定义菜单 as followers see it. */
async function publishMenu(services: Services, appId: string, headers: Record<string, string>): Promise<void> {
  const { wire, api } = openWire(services);
  const post = (path: string, body: object) => wire.post(`${api}/api/wx-menus/${path}`, { appId, ...body }, headers);
  await post("read", {});
  const { revision: read, liveAt } = await wire.get(`${api}/api/wx-menus/one?appId=${appId}&_t=1`, headers);
  const { revision } = await post("save", {
    revision: read,
    buttons: [
      { name: "会员中心", kind: "view", url: "https://shu.example/member" },
      { name: "到店", kind: "click", reply: "", children: [{ name: "营业时间", kind: "click", reply: "每天 10:00 到 22:00" }] },
    ],
  });
  await post("publish", { revision, liveAt });
}
/** 粉丝券 of one store's codes: proposed by somebody, approved by the root. */
async function welcomeFans(services: Services, storeId: string, root: Record<string, string>): Promise<void> {
  const { wire, api } = openWire(services);
  const second = { authorization: `Bearer ${await signIn(services, "coupon.mch01")}` };
  const now_ms = services.clock.now_ms();
  const today = shanghaiDay(now_ms);
  const { id } = await wire.post(
    `${api}/api/activities/add`,
    {
      requestId: services.ids.uuid(now_ms),
      kind: "fans",
      name: "到店关注有礼",
      firstDay: today,
      lastDay: addDays(today, 60),
      terms: { gift: { points: 50 }, places: 500, storeIds: [storeId] },
    },
    second,
  );
  await wire.post(`${api}/api/activities/decide`, { id, version: 1, approve: true }, root);
}
