import type { FastifyInstance } from "fastify";

const LOOK_MS = 100;

export interface Traffic {
  /** Calls that wait for their answer. */
  underWay(): number;
  /** The service is to end: what has begun gets its answer, nothing new begins. */
  closing(): boolean;
}

/**
 * Counts the calls under way, and once the service is to end, ends each connection with its last answer. Without that
 * a client that keeps its connection, or one that opened it and says nothing, would hold up the end for a minute.
 */
export function watchTraffic(app: FastifyInstance): Traffic {
  let underWay = 0;
  let closing = false;
  app.addHook("onRequest", async (_request, reply) => {
    underWay++;
    let gone = false;
    const leave = () => {
      if (!gone) underWay--;
      gone = true;
    };
    // The answer went out, or whoever asked went away: Fastify's hooks tell of neither where the body had been read before.
    reply.raw.once("finish", leave).once("close", leave);
  });
  app.addHook("onSend", async (_request, reply) => void (closing && reply.header("connection", "close")));
  app.addHook("preClose", async () => {
    closing = true;
    const timer = setInterval(() => {
      if (underWay === 0) app.server.closeAllConnections();
      else app.server.closeIdleConnections();
    }, LOOK_MS);
    app.server.once("close", () => clearInterval(timer));
    timer.unref();
  });
  return { underWay: () => underWay, closing: () => closing };
}
