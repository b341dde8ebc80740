import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell } from "../../../messages/server/index.ts";
import { voucherPlatform, type VoucherPlatform } from "../../contract/index.ts";

/** The attempt that they are told of. */
interface About {
  readonly id: string;
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly platform: string;
  readonly by_name: string;
}

/** No call tells any more: the store's people are told once that two of them have to look. */
export async function tellPeople(
  tx: Transaction,
  services: Services,
  { id, service_provider_id, merchant_id, store_id, platform, by_name }: About,
): Promise<void> {
  const name = voucherPlatform.label(platform as VoucherPlatform);
  await tell(
    tx,
    { level: "store", provider: service_provider_id, merchant: merchant_id, store: store_id },
    {
      kind: "voucherUnknown",
      title: `${name}券问不到结果，要两个人核对`,
      body: `${by_name} 核的一张券，${name}一直没有说核了没有。请到${name}商家端看，再到核销台记下。`,
      href: `/plat-${platform}/coupon?store=${store_id}`,
      item: `/plat-${platform as VoucherPlatform}/coupon/reverse`,
      once: `voucher:${id}`,
      at: new Date(services.clock.now_ms()).toISOString(),
    },
  );
}
