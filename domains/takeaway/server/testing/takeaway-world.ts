import { randomUUID } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { TillWorld } from "../../../orders/server/testing/till-world.ts";
import type { AskedPlatform } from "../../contract/index.ts";

/** A merchant's account at a takeaway platform, with the keys that its simulator takes. @returns its id */
export async function addTakeawayAccount(
  { services, tree, owner }: Pick<TillWorld, "tree" | "owner"> & { readonly services: Services },
  merchant: keyof TillWorld["tree"]["merchants"],
  platform: AskedPlatform,
): Promise<string> {
  const { id: merchantId, serviceProviderId } = tree.merchants[merchant];
  const id = randomUUID();
  const secret = seal(
    derivedKey(services.config.secret, "platforms"),
    `platform_accounts.secret:${serviceProviderId}:${id}`,
    "takeaway-simulator",
  );
  await owner(
    `insert into platform_accounts (service_provider_id, id, merchant_id, platform, account_no, app_of, app_key, secret_sealed, by_name, created_at, updated_at)
      values ($1, $2, $3, $4, 'token-of-a-test', 'merchant', 'demo', $5, '测试', now(), now())`,
    [serviceProviderId, id, merchantId, platform, secret],
  );
  return id;
}
/** A provider's application at a takeaway platform, with the keys that its simulator takes. */
export async function addTakeawayApp(
  { services, owner }: Pick<TillWorld, "owner"> & { readonly services: Services },
  serviceProviderId: string,
  platform: AskedPlatform,
): Promise<void> {
  const place = `platform_apps.secret:${serviceProviderId}:${platform}`;
  await owner(
    "insert into platform_apps (service_provider_id, platform, app_key, secret_sealed, by_name, updated_at) values ($1, $2, 'demo', $3, '测试', now())",
    [serviceProviderId, platform, seal(derivedKey(services.config.secret, "platforms"), place, "takeaway-simulator")],
  );
}
