export { endSessions, type SessionOwners, type TreeNode } from "./session/end-sessions.ts";
export { readSession, sessionSql } from "./session/read-session.ts";
export { SESSION_LIMITS, startSession, type SessionStart } from "./session/start-session.ts";
export { hashPassword } from "./sign-in/hash-password.ts";
export { addPosition } from "./users/add-position.ts";
export { addUser } from "./users/add-user.ts";
