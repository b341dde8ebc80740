import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { addAccount, ONE_TIME_MS } from "../../contract/users.ts";
import { hashPassword } from "../sign-in/hash-password.ts";
import { mayAdd } from "./account-rules.ts";
import { addUser } from "./add-user.ts";
import { makeOneTime } from "./passwords/make-one-time.ts";
import { checkStores } from "./check-stores.ts";
import { actorOf, readLineage } from "./read-target.ts";

/**
 * Adds an account below the caller, or a sub-account of a root. Nothing of the body becomes a right by itself: the node must
 * stand below, the position is the caller's own, and the password is made here and shown this once.
 */
export const addAccountRoute = implement(addAccount, async (ctx, input) => {
  const actor = actorOf(ctx.principal);
  const password = makeOneTime();
  const hash = await hashPassword(password);
  const expiresAt = new Date(ctx.now_ms + ONE_TIME_MS).toISOString();
  return ctx.transaction(async (tx) => {
    const ownLevel = input.level === actor.level;
    const serviceProviderId = actor.level === "ADMIN" && !ownLevel ? input.serviceProviderId : actor.provider;
    const nodeId = actor.level === "MCH" ? actor.merchant : ownLevel ? undefined : input.nodeId;
    const lineage = await readLineage(tx, input.level, serviceProviderId, nodeId);
    // Which stores an employee may be given is checked by itself, so that the form can say so at its field.
    const kind = lineage && mayAdd(actor, input.level === "AE" ? { ...lineage, stores: [] } : lineage);
    if (!kind) throw notFound("所属机构");
    const staff = kind === "staff" || input.level === "AE";
    if (kind === "staff" && input.positionId === undefined) throw invalid("positionId", "请选择岗位");
    if (staff) await checkStores(tx, actor, input);
    if (!staff && input.positionId !== undefined) throw invalid("positionId", "主账号不设岗位");
    const id = await addUser(
      tx,
      ctx.services,
      {
        login: input.login,
        firstName: input.firstName,
        level: input.level,
        positionId: input.positionId,
        storeIds: input.storeIds,
        areaIds: input.areaIds,
        serviceProviderId: input.level === "ADMIN" ? undefined : serviceProviderId,
        nodeId,
        rootLogin: staff ? actor.login : undefined,
      },
      hash,
      { createdBy: actor.userId, oneTimeUntil: expiresAt },
    );
    await ctx.audit(tx, {
      targetKind: "user",
      targetId: id,
      after: { login: input.login, level: input.level, positionId: input.positionId, storeIds: input.storeIds, areaIds: input.areaIds },
      provider: serviceProviderId,
      merchant: lineage.merchant ?? undefined,
    });
    return { id, password, expiresAt: expiresAt as never };
  });
});
