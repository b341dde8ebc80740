import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";

/** Every route that is registered while `open` runs, whoever registers it: verb and path. */
export async function routesOf(open: () => Promise<FastifyInstance>): Promise<string[]> {
  const found = new Set<string>();
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const verb of [method].flat()) found.add(`${verb} ${url}`);
    });
  };
  subscribe("fastify.initialization", listen);
  const app = await open().finally(() => unsubscribe("fastify.initialization", listen));
  await app.ready();
  await app.close();
  return [...found].toSorted();
}
