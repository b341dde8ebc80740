import { sealAuditJob } from "@zhangfang/server/calls/audit-seal.ts";
import { domain } from "@zhangfang/server/calls/domain.ts";
import { listAudit } from "./audit/list-audit.ts";
import { verifyAuditLog } from "./audit/verify-audit-log.ts";
import { explainAccess } from "./explain/explain-access.ts";
import { purgeExpired } from "./purge-expired.ts";
import { authorizeQrCode } from "./qr/authorize-qr-code.ts";
import { confirmQrRequest } from "./qr/confirm-qr-request.ts";
import { createQrRequest } from "./qr/create-qr-request.ts";
import { pollQrRequest } from "./qr/poll-qr-request.ts";
import { scanQrRequest } from "./qr/scan-qr-request.ts";
import { confirmTotp } from "./security/confirm-totp.ts";
import { endTotp } from "./security/end-totp.ts";
import { getSecurity } from "./security/get-security.ts";
import { startTotp } from "./security/start-totp.ts";
import { getAccount } from "./self/get-account.ts";
import { getBrand } from "./self/get-brand.ts";
import { getConfig } from "./self/get-config.ts";
import { getPreference } from "./self/get-preference.ts";
import { listUserItems } from "./self/list-user-items.ts";
import { setPreference } from "./self/set-preference.ts";
import { endOtherSessions } from "./session/end-other-sessions.ts";
import { listSessions } from "./session/list-sessions.ts";
import { logout } from "./session/logout.ts";
import { authenticate } from "./sign-in/authenticate.ts";
import { getCaptcha } from "./sign-in/get-captcha.ts";
import { autoLogin } from "./tickets/auto-login.ts";
import { handOverLogin } from "./tickets/hand-over-login.ts";
import { manualLogin } from "./tickets/manual-login.ts";
import { assignPosition, listAssignable } from "./staff/assign-position.ts";
import { getStaff, listStaffChoices } from "./staff/get-staff.ts";
import { listStaff } from "./staff/list-staff.ts";
import { addOwnPosition, listOwnItems, listPositions, removeOwnPosition, updateOwnPosition } from "./staff/positions.ts";
import { updateStaff } from "./staff/update-staff.ts";
import { getActingPolicy, setActingPolicy } from "./users/acting-policy.ts";
import { addAccount } from "./users/add-account.ts";
import { changePassword } from "./users/passwords/change-password.ts";
import { endUserSessions } from "./users/states/end-user-sessions.ts";
import { getUser } from "./users/get-user.ts";
import { listAccountNodes } from "./users/list-account-nodes.ts";
import { listUsers } from "./users/list-users.ts";
import { resetPassword, resetPasswords } from "./users/passwords/reset-passwords.ts";
import { getGrant, setGrant } from "./users/positions/set-grant.ts";
import { setUserState } from "./users/states/set-user-state.ts";
import { unlockUser } from "./users/states/unlock-user.ts";
import { auditExport } from "./audit/audit-export.ts";

export { absentUser } from "./absent-user.ts";
export { assertQuota, type QuotaKind } from "./quota/assert-quota.ts";
export { levelNamesOf } from "./self/level-names-of.ts";
export { endSessions, type SessionOwners, type TreeNode } from "./session/end-sessions.ts";
export { readSession, sessionSql } from "./session/read-session.ts";
export { startSession, type SessionStart } from "./session/start-session.ts";
export { proveSelf, type Proven } from "./sign-in/prove-self.ts";
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
    authenticate,
    getCaptcha,
    createQrRequest,
    pollQrRequest,
    scanQrRequest,
    confirmQrRequest,
    authorizeQrCode,
    autoLogin,
    manualLogin,
    handOverLogin,
    logout,
    listSessions,
    endOtherSessions,
    getAccount,
    getConfig,
    getBrand,
    listUserItems,
    getPreference,
    setPreference,
    listUsers,
    addAccount,
    setUserState,
    resetPassword,
    resetPasswords,
    changePassword,
    getSecurity,
    startTotp,
    confirmTotp,
    endTotp,
    getUser,
    listAccountNodes,
    unlockUser,
    endUserSessions,
    getGrant,
    setGrant,
    getActingPolicy,
    setActingPolicy,
    listStaff,
    getStaff,
    listStaffChoices,
    updateStaff,
    listPositions,
    listOwnItems,
    addOwnPosition,
    updateOwnPosition,
    removeOwnPosition,
    assignPosition,
    listAssignable,
    listAudit,
    verifyAuditLog,
    explainAccess,
  ],
  jobs: [purgeExpired, sealAuditJob],
  exports: [auditExport],
});
