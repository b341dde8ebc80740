import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { listenable } from "@zhangfang/domains/integrations/contract/words.ts";
import { openWire, untilDone } from "../live.ts";
import { signIn, type DemoTree } from "../tree/tree.ts";

const SALES = [2_600, 4_850, 11_900, 3_300];

/**
 * Where the first provider's systems are told what happens, with deliveries of every kind: one address that takes everything, one that
 * fails since just now, one that is gone. Their receiver is a part of the platform simulator and verifies what it gets.
 */
export async function fillPushes(services: Services, tree: DemoTree): Promise<void> {
  const { wire, simulator, api } = openWire(services);
  const office = { authorization: `Bearer ${await signIn(services, "sp01")}` };
  const receiver = `http://127.0.0.1:${services.config.simulator_port + 2}/push`;
  const post = (path: string, body: object) => wire.post(`${api}/api/push/${path}?_t=1`, body, office);
  const requestId = () => services.ids.uuid(services.clock.now_ms());
  const addresses = [
    { name: "总部 ERP", url: `${receiver}/ok`, events: [...listenable] },
    { name: "数据仓库", url: `${receiver}/failing`, events: ["order.paid", "refund.succeeded"] },
    { name: "旧会员系统", url: `${receiver}/gone`, events: ["order.paid", "fan.subscribed"], merchantIds: [tree.merchants.mch01.id] },
  ];
  const ids: string[] = [];
  const secrets: string[] = [];
  for (const address of addresses) {
    const { id } = (await post("endpoints/add", { requestId: requestId(), ...address })) as { id: string };
    secrets.push(((await post("endpoints/secret", { id })) as { secret: string }).secret);
    ids.push(id);
  }
  await fetch(`${receiver}/_control`, { method: "POST", body: JSON.stringify({ secrets }) });
  await post("endpoints/test", { id: ids[0]! });
  const sn = tree.merchants.mch01.stores[0]!.devices[0]!.sn;
  const sold: string[] = [];
  for (const cents of SALES) {
    const authCode = `13${services.ids.digits(16)}`;
    const order = await wire.post(`${simulator}/_till/orders`, { sn, cents, subject: "午餐", authCode });
    sold.push(String(order["tillNo"]));
  }
  await wire.post(`${simulator}/_till/refund`, { sn, tillNo: sold[0], cents: SALES[0], reason: "退菜" });
  // Until every address was asked at least once.
  await untilDone(async () => {
    const found = await withScope(services.pool, platformScope("demo pushes"), (tx) =>
      tx
        .selectFrom("push_deliveries")
        .select("id")
        .where("service_provider_id", "=", tree.providers.sp01)
        .where("state", "=", "waiting")
        .limit(1)
        .execute(),
    );
    if (found.length > 0) throw new Error("not yet");
  });
}
