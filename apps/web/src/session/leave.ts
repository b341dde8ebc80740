import { call } from "@zhangfang/web/api.ts";
import { endSession, stopActing } from "@zhangfang/web/session.ts";
import { logout } from "@zhangfang/domains/accounts/contract/sign-in.ts";

/** Signs out here and on the server. Whatever the server says, this browser forgets the session. */
export async function leave(): Promise<void> {
  await call(logout, {}, { quiet: true }).catch(() => undefined);
  endSession();
  location.hash = "#/login";
}

/** Stops acting for somebody: that session ends on the server, and the own one comes back. */
export async function leaveActing(): Promise<void> {
  await call(logout, {}, { quiet: true }).catch(() => undefined);
  stopActing();
  location.hash = "#/";
}
