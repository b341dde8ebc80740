import type { FastifyInstance, FastifyReply } from "fastify";
import { SITE_CSS } from "@zhangfang/domains/organisation/contract/index.ts";
import { renderSite, SITE_CSP } from "@zhangfang/domains/organisation/server/index.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** A provider's public page by its domain name: at /site, and at / where it was put there. */
export function serveSite(app: FastifyInstance, services: Services): void {
  const send = (reply: FastifyReply, html: string): FastifyReply =>
    reply.header("content-security-policy", SITE_CSP).header("cache-control", "no-cache").type("text/html; charset=utf-8").send(html);
  app.get("/site", async (request, reply) => {
    const html = await renderSite(services, request.host);
    if (html === undefined) throw new Refusal(404, "no-site", "该域名没有发布官网");
    return send(reply, html);
  });
  app.get("/site.css", async (_request, reply) => reply.header("cache-control", "no-cache").type("text/css; charset=utf-8").send(SITE_CSS));
  app.addHook("onRequest", async (request, reply) => {
    if (request.method !== "GET" || !/^\/(?:\?|$)/.test(request.url)) return;
    // Where the database does not answer, the login page does.
    const html = await renderSite(services, request.host, true).catch(() => undefined);
    if (html !== undefined) return send(reply, html);
  });
}
