import { signIn, type DemoTree } from "./tree.ts";
import { openWire } from "./live.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** By whom a merchant's payments are shared; the account that ends in 9001 is one that the simulated channel refuses to pay. */
const PLANS = [
  {
    login: "mch01",
    group: "合作方",
    mode: "auto",
    receivers: [
      { alias: "总部管理费", account: "1900000109", name: "禾木智慧商业有限公司", relation: "SERVICE_PROVIDER", ratio: 6_000 },
      { alias: "食材供应商", account: "1608880021", name: "成都川西食材配送有限公司", relation: "SUPPLIER", ratio: 12_000 },
      { alias: "联营伙伴", account: "1608889001", name: "成都锦里餐饮管理有限公司", relation: "PARTNER", ratio: 2_500 },
    ],
  },
  {
    login: "mch02",
    group: "门店员工",
    mode: "manual",
    receivers: [{ alias: "品牌方", account: "1608880055", name: "江南小笼品牌管理有限公司", relation: "BRAND", ratio: 5_000 }],
  },
] as const;

/** Sets profit sharing up for two merchants through their own calls, before the last hour is played. */
export async function openSharing(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  for (const { login, group, mode, receivers } of PLANS) {
    const boss = { authorization: `Bearer ${await signIn(services, login)}` };
    const {
      merchantName: _name,
      refundPasswordAt: _at,
      ...settings
    } = await wire.get(`${api}/api/organisation/merchant-settings?_t=1`, boss);
    await wire.post(
      `${api}/api/organisation/merchant-settings/update?_t=1`,
      { ...settings, merchantId: tree.merchants[login].id, profitSharing: true },
      boss,
    );
    const { id: groupId } = await wire.post(`${api}/api/profit-sharing/groups?_t=1`, { name: group }, boss);
    for (const receiver of receivers)
      await wire.post(`${api}/api/profit-sharing/receivers?_t=1`, { groupId, type: "MERCHANT_ID", ...receiver }, boss);
    await wire.post(
      `${api}/api/profit-sharing/rule?_t=1`,
      { version: 0, mode, timing: "now", groupId, unfreeze: mode === "auto", ratios: [] },
      boss,
    );
  }
}
