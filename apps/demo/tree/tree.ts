import { sql } from "kysely";
import { hashPassword, startSession } from "@zhangfang/domains/accounts/server/index.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { plantTree } from "./plant-tree.ts";
import { DEMO_PASSWORD } from "./tree-plan.ts";
import type { DemoLogin, DemoTree } from "./demo-tree.ts";

export type { DemoDevice, DemoStore, DemoMerchant, DemoLogin, DemoTree } from "./demo-tree.ts";

/**
 * Makes the demo world's tree through the domains' own doors, in one platform transaction. What it makes follows from the
 * clock and the ids that it is given; the devices' keys alone are random.
 * @param first done before, in the same transaction
 */
export async function buildTree(services: Services, first: (tx: Transaction) => Promise<void> = async () => {}): Promise<DemoTree> {
  // One hash for all: two dozen of their own would take a second of every test.
  const hash = await hashPassword(DEMO_PASSWORD);
  return withScope(
    services.pool,
    platformScope("demo tree"),
    async (tx) => {
      await first(tx);
      return plantTree({ tx, services, hash });
    },
    { deadline_ms: 60_000 },
  );
}

/** Signs a demo account in without its password. @returns the token */
export async function signIn(services: Services, login: DemoLogin | (string & {})): Promise<string> {
  return withScope(services.pool, platformScope("test sign-in"), async (tx) => {
    const user = await tx
      .selectFrom("users")
      .select("id")
      .where(sql`lower(login)`, "=", login.toLowerCase())
      .executeTakeFirstOrThrow();
    return startSession(tx, services, { userId: user.id, limits: "normal", ip: "127.0.0.1", device: "test" });
  });
}
