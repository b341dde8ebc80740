import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { hearInvoices } from "../../contract/index.ts";
import { invoicesOf } from "../provider/open-provider.ts";

/**
 * 回调: nothing in it is believed, for its signature is not known; it makes us ask about what it names, at once. A number of nobody's and one
 * of somebody else's are answered the same.
 */
export const hearInvoicesRoute = implement(hearInvoices, async (ctx, { provider }) => {
  const numbers = invoicesOf(ctx.services).provider.readNotice(ctx.incoming.rawBody.subarray(0, 20_000));
  if (numbers.length > 0)
    await ctx.platform("hear the invoice platform", async (tx) => {
      // Once a second at most: whoever floods it makes nobody ask more.
      await sql`update invoices i set next_at = least(i.next_at, ${ctx.now}::timestamptz + interval '1 second') where i.service_provider_id = ${provider}
        and i.number = any(${[...numbers]}::text[]) and i.status = 1 and i.sent_at is not null and i.next_at is not null and i.op is null`.execute(
        tx,
      );
      await sql`update invoice_reds r set next_at = least(r.next_at, ${ctx.now}::timestamptz + interval '1 second') where r.service_provider_id = ${provider}
        and r.number = any(${[...numbers]}::text[]) and r.status in (1, 2) and r.sent_at is not null and r.next_at is not null and r.op is null`.execute(
        tx,
      );
    });
  return { status: "0000", message: "同步成功" };
});
