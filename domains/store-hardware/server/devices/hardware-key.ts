import { derivedKey } from "@zhangfang/server/config.ts";
import { seal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** Seals a printer's key for its own row. No call of ours needs it again: it is kept for a change of the platform's account. */
export const sealHardwareKey = (services: Services, provider: string, id: string, key: string): string =>
  seal(derivedKey(services.config.secret, "store-hardware"), `store_hardware.key:${provider}:${id}`, key);
