import { randomUUID } from "node:crypto";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { printerVendor, speakerVendor, type PrinterVendor, type Vendor } from "../../contract/codes.ts";
import type { Means } from "./ask.ts";
import { borui } from "./borui.ts";
import { feie } from "./feie.ts";
import type { Printer, Speaker } from "./vendor.ts";
import { readVendorAccount, simulatorHost, tokenStore, VENDOR_HOSTS } from "./vendor-account.ts";
import { yilian } from "./yilian.ts";

/** The makers, as these services reach them. */
export interface Vendors {
  /** @throws 409 where the platform has no account there */
  printer(vendor: PrinterVendor): Promise<Printer>;
  speaker(): Promise<Speaker>;
}
const opened = new WeakMap<Services, Vendors>();

/** The makers' clouds through the platform's accounts. */
export function vendorsOf(services: Services): Vendors {
  const known = opened.get(services);
  if (known) return known;
  const hosts = [...Object.values(VENDOR_HOSTS).flat(), ...simulatorHost(services)];
  const means: Means = {
    transport: openOutbound(hosts, { loopback: services.config.demo }),
    now_ms: services.clock.now_ms,
    // A maker's request id is its own; nothing of ours follows from it.
    uuid: randomUUID,
  };
  const accountAt = async (vendor: Vendor) => {
    const account = await readVendorAccount(services, vendor);
    if (account) return account;
    const name = vendor === "borui" ? speakerVendor.label(vendor) : printerVendor.label(vendor);
    throw conflict(`平台还没有配置${name}的账号，请联系平台管理员`, "vendor.missing");
  };
  const vendors: Vendors = {
    async printer(vendor) {
      const account = await accountAt(vendor);
      return vendor === "feie" ? feie(means, account) : yilian(means, account, tokenStore(services, vendor));
    },
    speaker: async () => borui(means, await accountAt("borui")),
  };
  opened.set(services, vendors);
  return vendors;
}
/** Gives these services other makers, for a test. */
export function giveVendors(services: Services, vendors: Vendors): void {
  opened.set(services, vendors);
}
