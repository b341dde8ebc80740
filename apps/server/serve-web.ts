import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { StartError } from "@zhangfang/server/start-error.ts";
import { PERMISSIONS } from "./security-headers.ts";

/** The built page from its folder: assets are kept for a year under the name that their content gave them, the rest is asked for again. */
export async function serveWeb(app: FastifyInstance, dist: string): Promise<void> {
  const page = join(dist, "index.html");
  if (!existsSync(page)) throw new StartError("缺少网页文件 apps/web/dist，请用 npm start 启动（它会先构建）");
  await app.register(fastifyStatic, {
    root: dist,
    preCompressed: true,
    cacheControl: false,
    // What begins with a dot is the build's own.
    dotfiles: "ignore",
    setHeaders: (reply, path) => {
      reply.header("cache-control", path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache");
      // The office's page alone may ask for the camera: the desk reads codes by it.
      if (path.startsWith(page)) reply.header("permissions-policy", PERMISSIONS.replace("camera=()", "camera=(self)"));
    },
  });
  // A store's pay code: one small page, whatever the code; the page asks whose it is.
  app.get("/pay/:code", (_request, reply) => reply.sendFile("pay.html"));
  // A merchant's page for its members.
  app.get("/m/:merchant", (_request, reply) => reply.sendFile("member.html"));
  // The link at which a friend pays somebody's order.
  app.get("/friend/:token", (_request, reply) => reply.sendFile("friend.html"));
  // The link at which the payee of a withdrawal confirms it inside WeChat.
  app.get("/payout/:token", (_request, reply) => reply.sendFile("payout.html"));
  // What a lottery publishes, for everybody who rechecks it.
  app.get("/lottery/:id", (_request, reply) => reply.sendFile("lottery.html"));
  // The link at which the payer of an order says how it was.
  app.get("/comment/:token", (_request, reply) => reply.sendFile("comment.html"));
  // The link at which a merchant fills in its papers for an account at WeChat Pay.
  app.get("/fill/:token", (_request, reply) => reply.sendFile("fill.html"));
  // The link at which the invoice of an order is applied for.
  app.get("/i/:token", (_request, reply) => reply.sendFile("invoice.html"));
}
