// A process that is the simplest service which could give coupons: Fastify, a pool of the product's size, one row inserted for each request.
import { fastify } from "fastify";
import pg from "pg";
import type { SocketConnection } from "@zhangfang/server/database/embedded-postgres.ts";

export interface BareInput {
  readonly connection: SocketConnection;
  readonly port: number;
}
process.once("message", (input: BareInput) => void start(input));

async function start({ connection, port }: BareInput): Promise<void> {
  const pool = new pg.Pool({ ...connection, max: 10 });
  await pool.query("create table if not exists bare_claims (id uuid primary key, campaign_id uuid not null, at timestamptz not null)");
  const app = fastify({ logger: false });
  app.post<{ Body: { campaignId: string; requestId: string } }>("/api/customer/:merchant/claim-coupon", async ({ body }) => {
    await pool.query({ name: "claim", text: "insert into bare_claims values ($1, $2, now())", values: [body.requestId, body.campaignId] });
    return { couponId: body.requestId };
  });
  await app.listen({ host: "127.0.0.1", port });
  process.once("disconnect", () => void app.close().then(() => pool.end()));
  process.send?.({});
}
