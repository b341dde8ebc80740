import { openOutbound, type OutboundAnswer, type OutboundRequest } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { nuonuo } from "./nuonuo.ts";
import type { InvoiceProvider } from "./provider.ts";

/** Where 诺诺 is asked, and where its files lie (unverified beyond the first). */
const HOST = "sdk.nuonuo.com";
const FILE_HOSTS = ["inv.jss.com.cn", "fp.nuonuo.com", "fpxz.nuonuo.com", "nnfp.jss.com.cn"];
export interface Opened {
  readonly provider: InvoiceProvider;
  /** The way to the files, and to nothing else. */
  readonly files: (request: OutboundRequest) => Promise<OutboundAnswer>;
  /** Where a file may lie; what the platform names elsewhere is not fetched. */
  readonly fileHosts: readonly string[];
}
const opened = new WeakMap<Services, Opened>();
/** Gives these services another platform, for a test. */
export const giveInvoices = (services: Services, given: Opened): void => void opened.set(services, given);
/** The platform that these services speak to: in a demo the simulator on this machine. */
export function invoicesOf(services: Services): Opened {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const made = demo ? openAt(services, `127.0.0.1:${simulator_port + 2}`) : openReal(services);
  opened.set(services, made);
  return made;
}
const means = (services: Services) => ({
  now_ms: () => services.clock.now_ms(),
  senid: () => services.ids.uuid(services.clock.now_ms()).replaceAll("-", ""),
  nonce: () => services.ids.digits(8),
});
const openReal = (services: Services): Opened => ({
  provider: nuonuo({ ...means(services), transport: openOutbound([HOST]), base_url: `https://${HOST}` }),
  files: openOutbound(FILE_HOSTS),
  fileHosts: FILE_HOSTS,
});
/** The simulator at this address of this machine. */
export function openAt(services: Services, host: string): Opened {
  const transport = openOutbound([host], { loopback: true });
  return { provider: nuonuo({ ...means(services), transport, base_url: `http://${host}/nuonuo` }), files: transport, fileHosts: [host] };
}
