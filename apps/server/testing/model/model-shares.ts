import { randomUUID } from "node:crypto";
import { pick, pickRow, type Run, type Steps, tell } from "./model-run.ts";

/** The partner's accounts at either wallet. */
const PARTNER = ["1900000077", "partner@example.cn"];
/** What may be asked twice under one number, and then is one thing. */
async function once(run: Run, ids: readonly string[], ask: (requestId: string, id: string) => Promise<string>): Promise<void> {
  const [id, another] = ids;
  const requestId = randomUUID();
  if (id === undefined) return;
  const heard = await ask(requestId, id);
  run.told.push({ heard, again: (otherwise) => ask(requestId, otherwise ? (another ?? randomUUID()) : id) });
}

/** Shares of the orders' money, by rule and by hand, and what comes back of them. */
export const SHARE_STEPS: Steps<"rule" | "share" | "share again" | "finish sharing" | "return again" | "receivers" | "tell share"> = {
  rule: ({ world }, { mode, timing, unfreeze }) => world.rule(mode, { timing, unfreeze }),
  share: async (run, given) => {
    const share = await pickRow(run, "sharing_orders", "status = 0", given.at);
    await once(
      run,
      share ? [share.id] : [],
      async (requestId, id) => (await run.world.as("mch01", "sendShare", { requestId, id })).shareNo,
    );
  },
  "share again": async (run, given) => {
    const share = await pickRow(run, "sharing_orders", "(status = 3 or status = 2 and shared_cents < amount_cents)", given.at);
    await once(
      run,
      share ? [share.id] : [],
      async (requestId, id) => (await run.world.as("mch01", "retryShare", { requestId, id })).shareNo,
    );
  },
  "finish sharing": async (run, given) => {
    const order = await pickRow(run, "pay_orders", "profit_sharing and status = 2 and unfrozen_at is null", given.at);
    await once(
      run,
      order ? [order.id] : [],
      async (requestId, orderId) => (await run.world.as("mch01", "finishSharing", { requestId, orderId })).shareNo,
    );
  },
  "return again": async (run, given) => {
    const back = await pickRow(run, "sharing_returns", "status = 3", given.at);
    await once(
      run,
      back ? [back.id] : [],
      async (requestId, id) => (await run.world.as("mch01", "retryReturn", { requestId, id })).returnNo,
    );
  },
  receivers: async ({ world: { sharing } }, { how }) => {
    if (how === "slow" || how === "at once") sharing.pace.shares = sharing.pace.returns = how;
    else if (how === "decide") sharing.decideAll();
    else if (how === "one is closed") for (const one of PARTNER) sharing.closing.set(one, "ACCOUNT_ABNORMAL");
    else if (how === "one has nothing") for (const one of PARTNER) sharing.penniless.add(one);
    else for (const all of [sharing.closing, sharing.penniless]) all.clear();
  },
  "tell share": async (run, given) => {
    const { shares, returns } = run.world.sharing;
    const number = pick([...shares.keys(), ...returns.keys()], given.at);
    if (number !== undefined) await tell(run, { number }, randomUUID(), given.copies);
  },
};
