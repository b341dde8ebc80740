import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type AccountRow, nextLook } from "../rows.ts";
import { beginBinding, bind, type Run, thatAccount } from "./bind-receiver.ts";

type Due = Pick<AccountRow, "service_provider_id" | "receiver_id" | "merchant_id" | "wallet">;
/** Every minute: registrations without an answer are asked for once more, ever less often. Who is paused can wait. */
export const lookAfterReceivers = lookAfter<Due>({
  name: "look-after-receivers",
  due: (tx, now) =>
    tx
      .selectFrom("sharing_accounts as a")
      .innerJoin("sharing_receivers as r", (on) =>
        on.onRef("r.service_provider_id", "=", "a.service_provider_id").onRef("r.id", "=", "a.receiver_id"),
      )
      .select(["a.service_provider_id", "a.receiver_id", "a.merchant_id", "a.wallet"])
      .where("a.next_bind_at", "<=", now)
      .where("r.state", "=", "active")
      .orderBy("a.next_bind_at")
      .limit(500)
      .execute(),
  one: bindAgain,
  waitsFor: ({ wallet, merchant_id }) => [`0 ${wallet}`, merchant_id],
});
const SCOPE = platformScope("register a receiver again");
async function bindAgain(services: Services, { service_provider_id, receiver_id, wallet }: Due): Promise<void> {
  const run: Run = (work) => withScope(services.pool, SCOPE, work);
  const begun = await run(async (tx) => {
    const receiver = await tx
      .selectFrom("sharing_receivers")
      .selectAll()
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", receiver_id)
      .where("state", "=", "active")
      .forUpdate()
      .executeTakeFirst();
    const own = tx.selectFrom("sharing_accounts").where("service_provider_id", "=", service_provider_id);
    const at = await own
      .selectAll()
      .where("receiver_id", "=", receiver_id)
      .where("wallet", "=", wallet)
      .where("next_bind_at", "<=", new Date(services.clock.now_ms()).toISOString())
      .executeTakeFirst();
    if (!receiver || !at) return undefined;
    const binding = await beginBinding(services, tx, receiver, at, "add-receiver");
    // Without keys there is nobody to ask; later perhaps.
    if (!binding)
      await thatAccount(tx, at)
        .set({ next_bind_at: nextLook(at.told_at, services.clock.now_ms()) })
        .execute();
    return binding;
  });
  if (begun) await bind(services, run, begun);
}
