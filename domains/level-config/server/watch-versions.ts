import { sql } from "kysely";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookOut, type Versions } from "@zhangfang/server/database/waiting.ts";
import { PLATFORM_ID } from "../contract/index.ts";
import type { DevicePlace } from "./config-of-device.ts";
import type { Namespace } from "./namespace.ts";

type Kind = Namespace["namespace"];
const topicOf = (namespace: Kind, node: string): string => `${namespace}:${node}`;

/** Counts a change at nodes up: devices below them look again. */
export async function bumpVersions(tx: Transaction, namespace: Kind, nodes: readonly string[]): Promise<void> {
  await sql`insert into config_versions as v (namespace, item_id, version) select ${namespace}, x, 2 from ${once(nodes)} x order by x
    on conflict (namespace, item_id) do update set version = v.version + 1`.execute(tx);
}
/** Holds nodes until the transaction ends, always in one order: two saves at one of them wait for each other. */
export async function holdNodes(tx: Transaction, namespace: Kind, nodes: readonly string[]): Promise<void> {
  await sql`insert into config_versions as v (namespace, item_id) select ${namespace}, x from ${once(nodes)} x order by x
    on conflict (namespace, item_id) do update set version = v.version`.execute(tx);
}
const once = (nodes: readonly string[]) => sql`unnest(${`{${[...new Set(nodes)].join(",")}}`}::uuid[])`;

/** The versions that a device's configuration hangs on: its own and those of all it lies in. Read before the values. */
export async function versionsFor(tx: Transaction, namespace: Kind, place: DevicePlace): Promise<Versions> {
  const nodes = [place.id, place.store_id, place.merchant_id, place.service_provider_id, PLATFORM_ID];
  return versionsOf(
    tx,
    nodes.map((node) => topicOf(namespace, node)),
  );
}
/** Waits for the next change after the versions known. */
export const waitForSave = lookOut((services, topics) =>
  withScope(services.pool, platformScope("config versions"), (tx) => versionsOf(tx, topics), { readOnly: true }),
);
async function versionsOf(tx: Transaction, topics: readonly string[]): Promise<Versions> {
  const nodes = `{${[...new Set(topics.map((topic) => topic.split(":")[1]))].join(",")}}`;
  const { rows } = await sql<{ namespace: Kind; item_id: string; version: string }>`
    select namespace, item_id, version::text as version from config_versions where item_id = any(${nodes}::uuid[])`.execute(tx);
  const found = new Map(rows.map(({ namespace, item_id, version }) => [topicOf(namespace, item_id), version]));
  // What was never changed has no row, and its first change is one too; a row that was only held counts as none.
  return new Map(topics.map((topic) => [topic, found.get(topic) ?? "1"]));
}
