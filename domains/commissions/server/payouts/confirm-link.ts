import { linkToken } from "@zhangfang/server/files/signed-link.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** The channel's own word for a transfer that its payee has to confirm. */
export const WAITING = "WAIT_USER_CONFIRM";
/** The words under which the page of the confirmation opens: 可拉起微信收款确认页面, for TRANSFERING 再次重试确认收款 (transfer-bill's 单据状态). */
export const OPENS_PAGE = [WAITING, "TRANSFERING"];
export const CONFIRM = "payout-confirm";
/** The page on which the payee confirms inside WeChat; it names the withdrawal and proves itself. */
export const confirmUrlOf = (services: Pick<Services, "config">, id: string): string =>
  `${services.config.public_url}/payout/${linkToken(services, CONFIRM, id)}`;
