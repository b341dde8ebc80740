import type { FastifyInstance, FastifyReply } from "fastify";
import { SITE_CSS } from "@zhangfang/domains/organisation/contract/index.ts";
import { renderSite, SITE_CSP } from "@zhangfang/domains/organisation/server/index.ts";
import { openNoteLink } from "@zhangfang/domains/wechat/server/index.ts";
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

const GONE = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>链接无效</title>
<body><p>链接无效，请回到公众号里点那一条消息。</p></body></html>`;
/** The short link of a group note: counts, and leads where the note leads. What stands behind it in the address goes nowhere. */
export function serveNoteLink(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { code: string } }>(
    "/g/:code",
    { config: { counted: "address", rateLimit: { max: 600 } } as object },
    async (request, reply) => {
      const target = await openNoteLink(services, request.params.code);
      reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer");
      return target === undefined ? reply.code(404).type("text/html; charset=utf-8").send(GONE) : reply.redirect(target, 302);
    },
  );
}

/** Back from WeChat's page of authorisation: the screen takes it on, as the person who set out. What stands behind # goes to no server. */
export function serveAuthorised(app: FastifyInstance): void {
  app.get<{ Params: { state: string }; Querystring: Record<string, unknown> }>(
    "/wechat/authorised/:state",
    { config: { counted: "address", rateLimit: { max: 600 } } as object },
    (request, reply) => {
      const { auth_code: code } = request.query;
      const whole = /^[\w-]{43}$/.test(request.params.state) && typeof code === "string" && /^[\w@.-]{1,512}$/.test(code);
      const words = whole ? `?${new URLSearchParams({ panel: `authorised:${request.params.state}.${code}` }).toString()}` : "";
      return reply.header("cache-control", "no-store").redirect(`/#/wxCRM/app${words}`, 302);
    },
  );
}
