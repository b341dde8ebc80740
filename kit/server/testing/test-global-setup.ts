import type { TestProject } from "vitest/node";
import { connectionOf } from "../database/connection.ts";
import { prepareJobs } from "../jobs/jobs.ts";
import { migrate } from "../database/migrate.ts";
import { startTestCluster } from "./test-cluster.ts";

/** Before the first test file: one cluster with the newest schema; after the last: nothing is left of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster(async (ownerUrl) => {
    const owner = connectionOf(ownerUrl);
    await migrate(owner, "test");
    await prepareJobs(owner, []);
  });
  project.provide("testCluster", cluster.connection);
  return cluster.stop;
}
