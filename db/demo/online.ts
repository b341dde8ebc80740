import type { DemoTree } from "./tree.ts";
import type { Wire } from "./live.ts";

/** What happens online today, through the product's own calls: two links to friends, of which one is paid. */
export async function playOnline({ wire, simulator }: { readonly wire: Wire; readonly simulator: string }, tree: DemoTree): Promise<void> {
  const device = (sn: string, path: string, body: object) => wire.post(`${simulator}/_till/device`, { sn, path, body });
  for (const login of ["mch01", "mch03", "mch02"] as const) {
    const store = tree.merchants[login].stores[0]!;
    for (const [n, cents] of [12_800, 6_600].entries()) {
      const order = await device(store.devices[0]!.sn, "/api/till/friend-orders", {
        tillNo: `F${Date.now()}${n}`,
        subject: n === 0 ? "生日蛋糕" : "下午茶",
        grossCents: cents,
        orderer: `o-hungry-${login}`,
        ordererName: "小李",
        message: "今天你请客",
      });
      if (n === 0) await wire.post(`${simulator}/_control/pay`, { codeUrl: order["codeUrl"] });
    }
  }
}
