import type { Services } from "@zhangfang/server/services.ts";
import { openWire } from "../live.ts";
import { signIn, type DemoTree } from "./tree.ts";

/**
 * Shifts and limits of a merchant's cashiers: the first of a store in the morning, the second in the evening; one has left; and what its devices were
 * asked to do.
 */
export async function setShifts(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  const mch01 = { authorization: `Bearer ${await signIn(services, "mch01")}` };
  const post = (path: string, body: object) => wire.post(`${api}/api/cashiers/${path}?_t=1`, body, mch01);
  for (const { cashiers } of tree.merchants.mch01.stores)
    for (const [n, { id, code, name }] of cashiers.entries()) {
      const limits =
        n === 0
          ? { payMostCents: 5_000_000, refundMostCents: 50_000, refundDayCents: 200_000 }
          : { payMostCents: 500_000, refundMostCents: 0 };
      await post("update", { id, revision: 1, code, name, shift: n === 0 ? 1 : 3, ...limits });
    }
  await post("add", { storeId: tree.merchants.mch01.stores[0]!.id, code: "C0109", name: "何敏", shift: 2, refundDayCents: 30_000 });
  const left = tree.merchants.mch01.stores[1]!.cashiers[1]!;
  await post("state", { id: left.id, state: "disabled" });
  const commands = (kind: string, ids: readonly string[]) =>
    wire.post(`${api}/api/devices/commands?_t=1`, { requestId: services.ids.uuid(services.clock.now_ms()), kind, ids }, mch01);
  const [store] = tree.merchants.mch01.stores;
  await commands(
    "screenshot",
    store!.devices.slice(0, 1).map(({ id }) => id),
  );
  await commands(
    "refresh-config",
    store!.devices.map(({ id }) => id),
  );
}
