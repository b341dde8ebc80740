import { sql } from "kysely";
import { withScope, type Transaction } from "@zhangfang/server/db.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import { lookOut, type Versions } from "@zhangfang/server/waiting.ts";
import { PLATFORM_ID } from "../contract/index.ts";
import type { Namespace } from "./read-config.ts";

type Kind = Namespace["namespace"];
const topicOf = (namespace: Kind, provider: string): string => `${namespace}:${provider}`;

/** Counts a change up: a save, or a device that was moved. Whoever else changes something of the same tree waits here. */
export async function bumpVersion(tx: Transaction, namespace: Kind, provider: string): Promise<void> {
  await sql`insert into config_versions as v (namespace, service_provider_id) values (${namespace}, ${provider})
    on conflict (namespace, service_provider_id) do update set version = v.version + 1`.execute(tx);
}

/** The versions that a device's configuration hangs on: its provider's and the platform's. Read before the values. */
export async function versionsFor(tx: Transaction, namespace: Kind, provider: string): Promise<Versions> {
  return versionsOf(tx, [topicOf(namespace, provider), topicOf(namespace, PLATFORM_ID)]);
}
/** Waits for the next save after the versions known. */
export const waitForSave = lookOut((services, topics) =>
  withScope(services.pool, platformScope("config versions"), (tx) => versionsOf(tx, topics), { readOnly: true }),
);
async function versionsOf(tx: Transaction, topics: readonly string[]): Promise<Versions> {
  const providers = `{${[...new Set(topics.map((topic) => topic.split(":")[1]))].join(",")}}`;
  const { rows } = await sql<{ namespace: Kind; service_provider_id: string; version: string }>`
    select namespace, service_provider_id, version::text as version from config_versions where service_provider_id = any(${providers}::uuid[])`.execute(
    tx,
  );
  const found = new Map(rows.map(({ namespace, service_provider_id, version }) => [topicOf(namespace, service_provider_id), version]));
  // What was never saved has no row, and its first save is a change too.
  return new Map(topics.map((topic) => [topic, found.get(topic) ?? "0"]));
}
