import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Doors, Incoming, Route } from "@zhangfang/server/calls/call.ts";
import { openPool } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { callAs, testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { buildTree, signIn, type DemoLogin, type DemoTree } from "../../../apps/demo/tree/tree.ts";
import { devices, checkDevice } from "../../devices/server/index.ts";
import { organisation } from "../../organisation/server/index.ts";
import { reference } from "../../reference/server/index.ts";
import { stores } from "../../stores/server/index.ts";
import { readSession, accounts, sessionSql } from "./index.ts";

export const doors: Doors = { sessionSql, readSession, device: checkDevice };
const known: readonly Route[] = [...accounts.routes, ...organisation.routes, ...stores.routes, ...devices.routes, ...reference.routes];

export interface World {
  readonly services: TestServices;
  readonly tree: DemoTree;
  /** Calls an endpoint with a token, or as nobody. */
  call<E extends Endpoint>(endpoint: E, token: string | undefined, input: InputOf<E>, more?: Partial<Incoming>): Promise<OutputOf<E>>;
  /** The refusal that a call ends in. @throws where it goes through */
  refused<E extends Endpoint>(endpoint: E, token: string | undefined, input: InputOf<E>, more?: Partial<Incoming>): Promise<Refusal>;
  signIn(login: DemoLogin | (string & {})): Promise<string>;
  /** Reads the truth past both fences. */
  truth<R extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

/** A fresh database with the demo tree, for one test file; `more` are the routes of domains above these. */
export async function openWorld(more: readonly Route[] = []): Promise<World> {
  const routes = [...known, ...more];
  const services = await testServices();
  const tree = await buildTree(services);
  const owner = openPool({ connection: services.owner, size: 4 });
  // The database is dropped under connections that are just ending.
  owner.on("connect", (client) => void client.on("error", () => {}));
  const call: World["call"] = (endpoint, token, input, incoming) => {
    const route = routes.find((found) => found.endpoint === (endpoint as Endpoint));
    if (!route) throw new Error(`${endpoint.path} has no route`);
    return callAs(services, doors, route as Route & { endpoint: typeof endpoint }, token, input, incoming);
  };
  return {
    services,
    tree,
    call,
    refused: async (endpoint, token, input, incoming) => {
      try {
        await call(endpoint, token, input, incoming);
      } catch (error) {
        if (error instanceof Refusal) return error;
        throw error;
      }
      throw new Error(`${endpoint.path} was not refused`);
    },
    signIn: (login) => signIn(services, login),
    truth: async <R extends Record<string, unknown>>(text: string, values?: unknown[]) => (await owner.query<R>(text, values)).rows,
    close: async () => {
      await owner.end();
      await services.close();
    },
  };
}
