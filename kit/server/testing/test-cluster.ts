import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { connectionUrl, type SocketConnection, startEmbeddedPostgres } from "../database/embedded-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the cluster of this run is reached. */
    testCluster: SocketConnection;
  }
}

/** A database of a test file's own. */
export interface TestDatabase {
  readonly name: string;
  /** The owner's connection: a superuser, past row-level security. */
  readonly ownerConnection: SocketConnection;
  drop(): Promise<void>;
}

const TEMPLATE = "zhangfang_template";
/** A power cut may lose this cluster; nothing else is given up. */
const FAST = {
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_connections: "200",
  shared_buffers: "64MB",
};

/**
 * Starts the one cluster of a test run, with a template database that `prepareTemplate` fills. For vitest's globalSetup.
 * @param prepareTemplate gets the template's address as its owner and must close its connections
 * @returns the connection to `provide` as `testCluster`, and the end of it all
 */
export async function startTestCluster(
  prepareTemplate: (ownerUrl: string) => Promise<void>,
): Promise<{ connection: SocketConnection; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), "zf-tests-"));
  const cluster = await startEmbeddedPostgres({ dataDir, fsync: false, settings: FAST });
  const stop = async () => {
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await asOwner(cluster.connection, `create database ${TEMPLATE}`);
    await prepareTemplate(connectionUrl({ ...cluster.connection, database: TEMPLATE }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { connection: cluster.connection, stop };
}

/** A copy of the template for the test file that calls it; it takes some 30 ms. Drop it afterwards. */
export async function copyDatabase(): Promise<TestDatabase> {
  const cluster = inject("testCluster");
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await asOwner(cluster, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  return {
    name,
    ownerConnection: { ...cluster, database: name },
    drop: () => asOwner(cluster, `drop database if exists ${name} with (force)`),
  };
}

async function asOwner(connection: SocketConnection, sql: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
