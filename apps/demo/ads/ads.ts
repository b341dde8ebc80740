import { PLATFORM_ID } from "@zhangfang/domains/level-config/contract/index.ts";
import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openWire } from "../live.ts";
import { sendMaterial } from "./materials.ts";
import { poster } from "./poster.ts";
import { signIn, type DemoTree } from "../tree/tree.ts";

type Login = "admin" | "sp01" | "sp02";
const WORKDAYS = [1, 2, 3, 4, 5];
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const POSTERS = [
  ["sp01", "火锅双人餐海报", [176, 32, 32], [240, 150, 60]],
  ["sp01", "会员储值海报", [30, 64, 150], [90, 170, 220]],
  ["sp01", "早餐招牌海报", [240, 190, 70], [200, 110, 40]],
  ["sp01", "新品试吃海报", [40, 120, 80], [170, 210, 110]],
  ["sp01", "冬季暖饮海报", [110, 60, 40], [210, 160, 120]],
  ["sp02", "小笼新味海报", [120, 40, 110], [220, 130, 180]],
  ["admin", "刷脸支付安全提示", [20, 40, 80], [60, 110, 170]],
] as const;
/** Waits to be looked at. */
const UNSEEN = "冬季暖饮海报";

/** Ads on the screens of the shops: of two providers and of the platform, some of which meet; one waits for its picture to be looked at. */
export async function placeAds(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  const today = shanghaiDay(services.clock.now_ms());
  const heads = new Map<Login, Record<string, string>>();
  for (const login of ["admin", "sp01", "sp02"] as const) heads.set(login, { authorization: `Bearer ${await signIn(services, login)}` });
  const post = (login: Login, path: string, body: object) => wire.post(`${api}${path}?_t=1`, body, heads.get(login) ?? {});
  const materials = new Map<string, { material_id: string; sha256: string }>();
  for (const [login, name, from, to] of POSTERS) {
    const bytes = poster(640, 400, from, to);
    materials.set(name, await sendMaterial((path, body) => post(login, path, body), name, bytes));
  }
  const seen = [...materials].flatMap(([name, one]) => (name === UNSEEN ? [] : [one]));
  await post("admin", "/api/ad-materials/audit", { items: seen, audit_status: 1 });
  const ad = (login: Login, name: string, shown: string, targets: readonly (readonly [number, string])[], more: object) =>
    post(login, "/ad/api/Ad/create_ad", {
      name,
      materials: [{ material_id: materials.get(shown)?.material_id }],
      starts_on: addDays(today, -20),
      ends_on: addDays(today, 60),
      weekdays: EVERY_DAY,
      periods: [[540, 1_260]],
      targets: targets.map(([item_type, item_id]) => ({ item_type, item_id })),
      status: 1,
      ...more,
    });
  const { mch01 } = tree.merchants;
  const { sp01, sp02 } = tree.providers;
  await ad("admin", "刷脸支付安全提示", "刷脸支付安全提示", [[4, PLATFORM_ID]], {
    periods: [
      [720, 735],
      [1_080, 1_095],
    ],
    priority: 9,
  });
  await ad("sp01", "会员储值有礼", "会员储值海报", [[3, sp01]], { weight: 2 });
  await ad("sp01", "早餐招牌", "早餐招牌海报", [[3, sp01]], { weekdays: WORKDAYS, periods: [[390, 600]], priority: 4 });
  await ad("sp01", "周末火锅双人餐", "火锅双人餐海报", [[2, mch01.id]], { weekdays: [6, 7], periods: [[630, 1_290]], priority: 5 });
  await ad("sp01", "春熙路店新品试吃", "新品试吃海报", [[1, mch01.stores[0]?.id ?? ""]], {
    periods: [
      [660, 840],
      [1_020, 1_200],
    ],
  });
  await ad("sp01", "冬季暖饮", "冬季暖饮海报", [[3, sp01]], { starts_on: addDays(today, 7), status: 0 });
  await ad("sp02", "小笼新味", "小笼新味海报", [[3, sp02]], {});
  // They have run since their first days, so that what was shown in the last weeks counts.
  await withScope(services.pool, platformScope("demo ads"), (tx) =>
    sql`update ads set enabled_at = starts_on::timestamp at time zone 'Asia/Shanghai' where status = 1`.execute(tx),
  );
}
