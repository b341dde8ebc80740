// The product's own HTTP side and jobs in a process of their own: as they start, but without the limits of one caller.
// It answers the benchmark's questions: what a call asked of the database, how much processor time went by, how much memory.
import pg from "pg";
import { giveSharingChannel } from "@zhangfang/domains/channels/server/index.ts";
import { givePushDoor, openPushDoor } from "@zhangfang/domains/integrations/server/index.ts";
import { giveChannel } from "@zhangfang/domains/orders/server/index.ts";
import { givePlatforms } from "@zhangfang/domains/platforms/server/index.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { connectionUrl, type SocketConnection } from "@zhangfang/server/database/embedded-postgres.ts";
import { openHttp } from "../apps/server/http.ts";
import { domains, doors, routes } from "../apps/server/domains.ts";
import { openServices } from "../apps/server/open-services.ts";
import { SECRET } from "./actors.ts";
import type { Statement } from "./bare.ts";
import { tenOffers } from "./ten-offers.ts";
import { willingToPay, willingToShare } from "./willing.ts";

export interface ServerInput {
  readonly connection: SocketConnection;
  readonly port: number;
  readonly data_dir: string;
  /** Whether it takes jobs too. */
  readonly work: boolean;
  /** Whether its channels give at once what they are asked to give, and pushes may go to this machine. */
  readonly willing: boolean;
  /** Whether automatic offers and coupons take part in prices. */
  readonly tenOffers: boolean;
  /** Where the platforms' simulator listens, for a part that uses vouchers. */
  readonly platforms?: string | undefined;
}
export type Ask = { readonly kind: "capture"; readonly path: string; readonly token: string } | { readonly kind: "usage" };
export interface Usage {
  readonly cpu_us: number;
  /** Resident memory in bytes: now, and the most since the last question. */
  readonly rss: number;
  readonly peak: number;
}

process.once("message", (input: ServerInput) => void start(input));

// A source has one contributor: those of the bench stand in for the rooms' own.
const stoodInFor = new Set(tenOffers.contributors?.map(({ source }) => source));
const withoutOffers = domains.filter(({ contributors = [] }) => !contributors.some(({ source }) => stoodInFor.has(source)));

async function start({ connection, port, data_dir, work, willing, tenOffers: offering, platforms }: ServerInput): Promise<void> {
  const config = {
    ...readConfig({ ZHANGFANG_DEMO: "no", PORT: String(port), DATA_DIR: data_dir, ZHANGFANG_SECRET: SECRET }),
    database_url: connectionUrl(connection),
  };
  const opened = await openServices(config, offering ? [...withoutOffers, tenOffers] : domains);
  if (willing)
    for (const services of [opened.services, opened.atWork]) {
      giveChannel(services, willingToPay);
      giveSharingChannel(services, willingToShare);
      givePushDoor(services, openPushDoor("any"));
    }
  if (platforms !== undefined) for (const services of [opened.services, opened.atWork]) givePlatforms(services, platforms);
  const app = await openHttp(opened.services, doors, routes, { limits: false });
  await app.listen({ host: "127.0.0.1", port });
  if (work) await opened.work();
  let peak = 0;
  setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50).unref();
  const usage = (): Usage => {
    const { user, system } = process.cpuUsage();
    const rss = process.memoryUsage.rss();
    const most = Math.max(peak, rss);
    peak = 0;
    return { cpu_us: user + system, rss, peak: most };
  };
  const answer = (ask: Ask): Promise<Usage | Statement[]> =>
    ask.kind === "usage" ? Promise.resolve(usage()) : capture(port, ask.path, ask.token);
  process.on("message", (ask: Ask) => {
    answer(ask).then(
      (given) => process.send?.(given),
      (error: unknown) => process.send?.({ failure: String(error) }),
    );
  });
  process.on(
    "disconnect",
    () =>
      void app
        .close()
        .then(() => opened.services.jobs.stop(5_000))
        .then(() => opened.close())
        .then(() => process.exit(0)),
  );
  process.send?.({});
}

// What one call asks of the database, as text and parameters; what the transaction says about itself goes in one text of its own and is left out.
async function capture(port: number, path: string, token: string): Promise<Statement[]> {
  const seen: Statement[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given as [
      string | { readonly text: string; readonly values?: readonly unknown[] },
      readonly unknown[] | undefined,
    ];
    const { text, values } = typeof first === "string" ? { text: first, values: second } : first;
    if (/^\s*(select|with)\b/i.test(text)) seen.push({ text, values: values ?? [] });
    return (original as (...all: unknown[]) => unknown).apply(this, given);
  } as typeof original;
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body}`);
  } finally {
    pg.Client.prototype.query = original;
  }
  return seen;
}
