import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Vendor } from "../../contract/codes.ts";
import type { VendorAccount } from "./vendor.ts";
import type { TokenStore } from "./yilian.ts";

/** The makers' own hosts, and no other, may be asked. */
export const VENDOR_HOSTS: Readonly<Record<Vendor, readonly string[]>> = {
  feie: ["api.feieyun.cn", "api.feieyun.com"],
  yilian: ["open-api.10ss.net"],
  borui: ["speaker.17laimai.cn"],
};
/** Where the simulator of the demo plays the makers. */
export const simulatorHost = ({ config }: Pick<Services, "config">): string[] =>
  config.demo ? [`127.0.0.1:${config.simulator_port}`] : [];
const SCOPE = platformScope("the platform's accounts at device makers");

const keyOf = (services: Services) => derivedKey(services.config.secret, "device-vendors");
const placeOf = (column: "secret" | "token", vendor: Vendor) => `device_vendors.${column}:${vendor}`;

/**
 * Sets the platform's account at a maker; the secret is sealed. A new account begins without a token.
 * @throws 400 where the address is not one of the maker's
 */
export async function setVendorAccount(tx: Transaction, services: Services, vendor: Vendor, given: VendorAccount): Promise<void> {
  const base_url = given.baseUrl.replace(/\/+$/, "");
  const url = URL.canParse(base_url) ? new URL(base_url) : undefined;
  const simulated = url !== undefined && url.protocol === "http:" && simulatorHost(services).includes(url.host);
  if (!simulated && !(url?.protocol === "https:" && url.username === "" && VENDOR_HOSTS[vendor].includes(url.host)))
    throw invalid("baseUrl", `地址须为 https://${VENDOR_HOSTS[vendor].join(" 或 https://")}`);
  const values = {
    account: given.account,
    secret_sealed: seal(keyOf(services), placeOf("secret", vendor), given.secret),
    base_url,
    token_sealed: null,
    token_until: null,
    updated_at: new Date(services.clock.now_ms()).toISOString(),
  };
  await tx
    .insertInto("device_vendors")
    .values({ vendor, ...values })
    .onConflict((conflicting) => conflicting.column("vendor").doUpdateSet(values))
    .execute();
}

/** The platform's account at a maker, where there is one. */
export async function readVendorAccount(services: Services, vendor: Vendor): Promise<VendorAccount | undefined> {
  const row = await withScope(
    services.pool,
    SCOPE,
    (tx) => tx.selectFrom("device_vendors").selectAll().where("vendor", "=", vendor).executeTakeFirst(),
    { readOnly: true },
  );
  return (
    row && { account: row.account, secret: unseal(keyOf(services), placeOf("secret", vendor), row.secret_sealed), baseUrl: row.base_url }
  );
}

/** Keeps a maker's token beside the account, sealed, for every process. */
export function tokenStore(services: Services, vendor: Vendor): TokenStore {
  return {
    async load() {
      const now = new Date(services.clock.now_ms()).toISOString();
      const row = await withScope(
        services.pool,
        SCOPE,
        (tx) =>
          tx
            .selectFrom("device_vendors")
            .select("token_sealed")
            .where("vendor", "=", vendor)
            .where("token_until", ">", now)
            .executeTakeFirst(),
        { readOnly: true },
      );
      return row?.token_sealed ? unseal(keyOf(services), placeOf("token", vendor), row.token_sealed) : undefined;
    },
    async save(token, seconds) {
      // Given up a little early; a date far away may not be written.
      const until_ms = services.clock.now_ms() + Math.min(seconds * 900, 365 * 86_400_000);
      await withScope(services.pool, SCOPE, (tx) =>
        tx
          .updateTable("device_vendors")
          .set({ token_sealed: seal(keyOf(services), placeOf("token", vendor), token), token_until: new Date(until_ms).toISOString() })
          .where("vendor", "=", vendor)
          .execute(),
      );
    },
  };
}
