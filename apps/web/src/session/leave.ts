import { call } from "@zhangfang/web/api/api.ts";
import { endSession, stopActing } from "@zhangfang/web/api/session.ts";
import { lasting, ofTab } from "@zhangfang/web/window/storage.ts";
import { logout } from "@zhangfang/domains/accounts/contract/sign-in.ts";

/** What an account chose, typed and visited. It stays through an expired session, and not when somebody leaves on purpose. */
const TRACES = /^zhangfang_(prefs|tabs|draft|recent)/;

/** Signs out here and on the server. Whatever the server says, this browser forgets the session and what was done in it. */
export async function leave(): Promise<void> {
  await call(logout, {}, { quiet: true }).catch(() => undefined);
  endSession();
  for (const storage of [lasting, ofTab]) for (const key of storage.keys()) if (TRACES.test(key)) storage.removeItem(key);
  location.hash = "#/login";
}

/** Stops acting for somebody: that session ends on the server, and the own one comes back. */
export async function leaveActing(): Promise<void> {
  await call(logout, {}, { quiet: true }).catch(() => undefined);
  stopActing();
  location.hash = "#/";
}
