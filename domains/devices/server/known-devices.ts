import type { Services } from "@zhangfang/server/services.ts";

/** A device as this process last saw it. Nothing is allowed by it alone: what is done with it asks the database whether it still holds. */
export interface KnownDevice {
  readonly id: string;
  readonly sn: string;
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly key: string;
  readonly key_sealed: string;
}
/** About 20 MB; whoever came first goes first. */
const MOST = 50_000;
const known = new WeakMap<Services, Map<string, KnownDevice>>();

export const knownDevice = (services: Services, sn: string): KnownDevice | undefined => known.get(services)?.get(sn);
export function rememberDevice(services: Services, device: KnownDevice): void {
  const all = known.get(services) ?? new Map<string, KnownDevice>();
  known.set(services, all);
  const [first] = all.keys();
  if (all.size >= MOST && first !== undefined) all.delete(first);
  all.set(device.sn, device);
}
export function forgetDevice(services: Services, sn: string): void {
  known.get(services)?.delete(sn);
}
