import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import type pg from "pg";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Caller } from "./matrix/people.ts";
import type { watchCommits } from "./races/watch-commits.ts";

/** One request, before anybody put a name to it. */
export interface Request {
  readonly verb: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Instead of a body: the bytes as they are. */
  readonly raw?: string | Buffer;
  /** What stands in the address behind everything else, as it is. */
  readonly tail?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The parsed body; undefined where it is no JSON. */
  readonly body: unknown;
  /** Owners of rows that the request would have changed. */
  readonly changed: ReadonlySet<string>;
}
/** What things of a room are planted with. */
export interface Soil {
  readonly till: TillWorld;
  readonly services: Services;
  /** Past both fences. */
  readonly owner: pg.Pool;
  send(caller: Caller, request: Request): Promise<Answer>;
  /** Runs a job of the server's here and now. */
  run(job: string, data: unknown): Promise<void>;
  /** What was planted before. */
  of<T>(plant: Plant<T>): T;
}
/** Things of one room that the world of the matrix holds; a room's policies read them with `world.of(…)`. */
export interface Plant<T> {
  readonly make: (soil: Soil) => Promise<T>;
}
/**
 * Names what a room plants; it stands in the list `plants.ts`.
 * @example export const siteFacts = plant(({ till }) => addSites(till));
 */
export const plant = <T>(make: (soil: Soil) => Promise<T>): Plant<T> => ({ make });

export interface HttpWorld {
  readonly till: TillWorld;
  readonly services: Services;
  readonly app: FastifyInstance;
  readonly commits: Awaited<ReturnType<typeof watchCommits>>;
  /** While it is on, what requests change stays. */
  readonly keep: { on: boolean };
  /** What a room has planted. */
  of<T>(plant: Plant<T>): T;
  token(caller: Caller): string | undefined;
  send(caller: Caller, request: Request): Promise<Answer>;
  /** The same calls through another app: a fence is off there. */
  through(app: FastifyInstance): Pick<HttpWorld, "send">;
  /** An app over a pool that row-level security does not hold for: the first fence stands alone. */
  withoutRowSecurity(): Promise<FastifyInstance>;
  close(): Promise<void>;
}

export function urlOf({ path, params = {}, query = {}, tail = "" }: Request): string {
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ""));
  return `${filled}?${new URLSearchParams({ _t: "1", ...query }).toString()}${tail}`;
}
export function answerOf(answer: LightMyRequestResponse, changed: ReadonlySet<string>): Answer {
  let body: unknown;
  try {
    body = JSON.parse(answer.body);
  } catch {
    body = undefined;
  }
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body, changed };
}
