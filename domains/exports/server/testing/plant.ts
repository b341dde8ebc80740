import { type Login, LOGINS } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** Exports of one account: ready, waiting, failed. */
export type ExportsOf = Readonly<Record<"ready" | "waiting" | "failed", string>>;
/** Three exports of each login's: one that is ready, one that waits, one that failed. */
async function startExports({ till, services, send, run }: Soil): Promise<Map<Login, ExportsOf>> {
  const made = new Map<Login, ExportsOf>();
  const start = async (login: Login): Promise<string> => {
    const body = {
      requestId: services.ids.uuid(services.clock.now_ms()),
      source: "pay-orders",
      filter: {},
      columns: ["orderNo", "storeName", "paidCents"],
      format: "csv",
    };
    const answer = await send(login, { verb: "POST", path: "/api/exports", body });
    if (answer.status !== 200) throw new Error(`${login} could not export: ${answer.text}`);
    return (answer.body as { id: string }).id;
  };
  for (const login of LOGINS) {
    const ready = await start(login);
    await run("write-export", { ownerUserId: till.tree.users[login], exportId: ready });
    const failed = await start(login);
    await till.owner("update export_files set status = 2, failure = '磁盘空间不足', finished_at = created_at where id = $1", [failed]);
    made.set(login, { ready, failed, waiting: "" });
  }
  // Those that wait come last, so that none stands before one that is to be written.
  for (const login of LOGINS) made.set(login, { ...made.get(login)!, waiting: await start(login) });
  return made;
}
export const exportsByLogin = plant(startExports);
