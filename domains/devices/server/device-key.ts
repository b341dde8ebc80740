import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";

const placeOf = (provider: string, id: string) => `devices.key:${provider}:${id}`;
const keyOf = (services: Services) => derivedKey(services.config.secret, "device-keys");
/** Seals a device's key for its own row. */
export const sealDeviceKey = (services: Services, provider: string, id: string, key: string): string =>
  seal(keyOf(services), placeOf(provider, id), key);
/** Opens it. @throws where the row was moved or changed by hand */
export const openDeviceKey = (services: Services, provider: string, id: string, sealed: string): string =>
  unseal(keyOf(services), placeOf(provider, id), sealed);
