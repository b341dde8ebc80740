import { sealAuditJob } from "@zhangfang/server/calls/audit-seal.ts";
import { domain } from "@zhangfang/server/calls/domain.ts";
import { getAuditRoute, listAuditRoute } from "./audit/list-audit.ts";
import { verifyAuditLogRoute } from "./audit/verify-audit-log.ts";
import { explainAccessRoute } from "./explain/explain-access.ts";
import { purgeExpired } from "./purge-expired.ts";
import { authorizeQrCodeRoute } from "./qr/authorize-qr-code.ts";
import { confirmQrRequestRoute } from "./qr/confirm-qr-request.ts";
import { createQrRequestRoute } from "./qr/create-qr-request.ts";
import { pollQrRequestRoute } from "./qr/poll-qr-request.ts";
import { scanQrRequestRoute } from "./qr/scan-qr-request.ts";
import { confirmTotpRoute } from "./security/confirm-totp.ts";
import { endTotpRoute } from "./security/end-totp.ts";
import { getSecurityRoute } from "./security/get-security.ts";
import { startTotpRoute } from "./security/start-totp.ts";
import { getAccountRoute } from "./self/get-account.ts";
import { getBrandRoute } from "./self/get-brand.ts";
import { getConfigRoute } from "./self/get-config.ts";
import { getPreferenceRoute } from "./self/get-preference.ts";
import { listUserItemsRoute } from "./self/list-user-items.ts";
import { setPreferenceRoute } from "./self/set-preference.ts";
import { endOtherSessionsRoute } from "./session/end-other-sessions.ts";
import { listSessionsRoute } from "./session/list-sessions.ts";
import { logoutRoute } from "./session/logout.ts";
import { authenticateRoute } from "./sign-in/authenticate.ts";
import { getCaptchaRoute } from "./sign-in/get-captcha.ts";
import { autoLoginRoute } from "./tickets/auto-login.ts";
import { handOverLoginRoute } from "./tickets/hand-over-login.ts";
import { manualLoginRoute } from "./tickets/manual-login.ts";
import { assignPositionRoute, listAssignableRoute } from "./staff/assign-position.ts";
import { getStaffRoute, listStaffChoicesRoute } from "./staff/get-staff.ts";
import { listStaffRoute } from "./staff/list-staff.ts";
import {
  addOwnPositionRoute,
  listOwnItemsRoute,
  listPositionsRoute,
  removeOwnPositionRoute,
  updateOwnPositionRoute,
} from "./staff/positions.ts";
import { updateStaffRoute } from "./staff/update-staff.ts";
import { getActingPolicyRoute, setActingPolicyRoute } from "./users/acting-policy.ts";
import { addAccountRoute } from "./users/add-account.ts";
import { changePasswordRoute } from "./users/passwords/change-password.ts";
import { endUserSessionsRoute } from "./users/states/end-user-sessions.ts";
import { userFinders } from "./users/find-users.ts";
import { getUserRoute } from "./users/get-user.ts";
import { listAccountNodesRoute } from "./users/list-account-nodes.ts";
import { listUsersRoute } from "./users/list-users.ts";
import { resetPasswordRoute, resetPasswordsRoute } from "./users/passwords/reset-passwords.ts";
import { getGrantRoute, setGrantRoute } from "./users/positions/set-grant.ts";
import { setUserStateRoute } from "./users/states/set-user-state.ts";
import { unlockUserRoute } from "./users/states/unlock-user.ts";
import { auditExport } from "./audit/audit-export.ts";

export { absentUser } from "./absent-user.ts";
export { assertQuota, type QuotaKind } from "./quota/assert-quota.ts";
export { levelNamesOf } from "./self/level-names-of.ts";
export { endSessions, type SessionOwners, type TreeNode } from "./session/end-sessions.ts";
export { leaveInSessions } from "./session/leave-in-sessions.ts";
export { readSession, sessionSql, sessionWrites } from "./session/read-session.ts";
export { startSession, type SessionStart } from "./session/start-session.ts";
export { proveSecret, proveSelf, type Proven } from "./sign-in/prove-self.ts";
export { hashPassword, verifyPassword } from "./sign-in/hash-password.ts";
export { issueTicket, type TicketOrder } from "./tickets/issue-ticket.ts";
export { addPosition } from "./users/positions/add-position.ts";
export { addUser } from "./users/add-user.ts";
export { giveFirstPassword, unknownPassword } from "./users/passwords/give-first-password.ts";
export { makeOneTime } from "./users/passwords/make-one-time.ts";
export { updatePosition } from "./users/positions/update-position.ts";
export { updateUser, type UserChange } from "./users/update-user.ts";

export const accounts = domain({
  routes: [
    authenticateRoute,
    getCaptchaRoute,
    createQrRequestRoute,
    pollQrRequestRoute,
    scanQrRequestRoute,
    confirmQrRequestRoute,
    authorizeQrCodeRoute,
    autoLoginRoute,
    manualLoginRoute,
    handOverLoginRoute,
    logoutRoute,
    listSessionsRoute,
    endOtherSessionsRoute,
    getAccountRoute,
    getConfigRoute,
    getBrandRoute,
    listUserItemsRoute,
    getPreferenceRoute,
    setPreferenceRoute,
    listUsersRoute,
    addAccountRoute,
    setUserStateRoute,
    resetPasswordRoute,
    resetPasswordsRoute,
    changePasswordRoute,
    getSecurityRoute,
    startTotpRoute,
    confirmTotpRoute,
    endTotpRoute,
    getUserRoute,
    listAccountNodesRoute,
    unlockUserRoute,
    endUserSessionsRoute,
    getGrantRoute,
    setGrantRoute,
    getActingPolicyRoute,
    setActingPolicyRoute,
    listStaffRoute,
    getStaffRoute,
    listStaffChoicesRoute,
    updateStaffRoute,
    listPositionsRoute,
    listOwnItemsRoute,
    addOwnPositionRoute,
    updateOwnPositionRoute,
    removeOwnPositionRoute,
    assignPositionRoute,
    listAssignableRoute,
    listAuditRoute,
    getAuditRoute,
    verifyAuditLogRoute,
    explainAccessRoute,
  ],
  jobs: [purgeExpired, sealAuditJob],
  exports: [auditExport],
  finders: userFinders,
});
