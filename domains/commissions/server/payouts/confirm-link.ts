import { linkToken } from "@zhangfang/server/signed-link.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** The channel's own word for a transfer that its payee has to confirm. */
export const WAITING = "WAIT_USER_CONFIRM";
export const CONFIRM = "payout-confirm";
/** The page on which the payee confirms inside WeChat; it names the withdrawal and proves itself. */
export const confirmUrlOf = (services: Pick<Services, "config">, id: string): string =>
  `${services.config.public_url}/payout/${linkToken(services, CONFIRM, id)}`;
