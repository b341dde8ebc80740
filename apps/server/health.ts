import type { FastifyInstance, FastifyRequest } from "fastify";
import { sameText } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Readiness } from "./readiness.ts";

/** /healthz: the process answers. /readyz: it can do its work, or why not. /metrics: for this machine, or with METRICS_TOKEN. */
export function registerHealth(app: FastifyInstance, services: Services, readiness: Readiness): void {
  app.get("/healthz", async () => ({ ok: true }));
  app.get("/readyz", async (_request, reply) => {
    const reasons = await readiness.now();
    // A standby that is away keeps nobody from anything: the primary answers.
    const standbys = services.standbys && { standbys: services.standbys.states() };
    return reasons.length === 0 ? { ok: true, ...standbys } : reply.code(503).send({ ok: false, reasons });
  });
  app.get("/metrics", async (request, reply) => {
    const token = process.env["METRICS_TOKEN"];
    const allowed = token ? sameText(request.headers.authorization ?? "", `Bearer ${token}`) : isLocal(request);
    if (!allowed) return reply.code(404).send({ ok: false });
    services.metrics.pool.set({ state: "total" }, services.pool.totalCount);
    services.metrics.pool.set({ state: "idle" }, services.pool.idleCount);
    services.metrics.pool.set({ state: "waiting" }, services.pool.waitingCount);
    return reply.type(services.metrics.registry.contentType).send(await services.metrics.registry.metrics());
  });
}

// A proxy on this machine that TRUST_PROXY does not name speaks for somebody elsewhere.
const isLocal = ({ ip, headers }: FastifyRequest): boolean =>
  ["127.0.0.1", "::1", "::ffff:127.0.0.1"].includes(ip) && headers["x-forwarded-for"] === undefined && headers.forwarded === undefined;
