import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { Components } from "./component/component.ts";
import { openNuonuo } from "./nuonuo.ts";
import { openGroupBuy } from "./group-buy.ts";
import { openPushes } from "./pushes.ts";
import { openSms } from "./sms.ts";
import { openTakeaway } from "./takeaway.ts";
import { openWechatApi } from "./wechat-api.ts";
import { openWechatCards } from "./wechat-cards.ts";
import { Followers } from "./wechat-followers.ts";
import { openWechatFans } from "./wechat-fans.ts";
import { openWechatMass } from "./wechat-mass.ts";
import { openWechatMenus } from "./wechat-menus.ts";

// Plays the platforms that the product talks to besides payment channels, each behind a path of its own: an SMS provider, WeChat's member cards, official accounts, 抖音 and
// 快手, takeaway, 诺诺; and a provider's own system that data is pushed to.
const { values } = parseArgs({
  options: {
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "8092" },
    // Ends when whoever started it ends: its standard input is then closed.
    "with-parent": { type: "boolean", default: false },
  },
});
/** A batch of 10,000 followers has 300 KB. */
const MOST_BYTES = 1024 * 1024;
async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request) {
    body += String(piece);
    if (body.length > MOST_BYTES) throw new Error("too large");
  }
  return body;
}

const sms = openSms(() => Date.now());
const cards = openWechatCards(() => Date.now());
const mass = openWechatMass(() => Date.now());
const followers = new Followers(() => Date.now());
const wechat = openWechatApi(
  () => Date.now(),
  [followers.room, mass.room, openWechatMenus()],
  (accountOf) => new Components(() => Date.now(), accountOf),
);
const fans = openWechatFans(() => Date.now(), followers);
const groupBuy = openGroupBuy(() => Date.now());
const takeaway = openTakeaway(() => Date.now(), `${values.host}:${values.port}`);
const pushes = openPushes();
const nuonuo = openNuonuo(() => Date.now());
const answerOf = (request: IncomingMessage, body: string) => {
  const [url, method] = [request.url ?? "", request.method ?? ""];
  return (
    groupBuy({ url, method, headers: request.headers, body }) ??
    pushes(url, method, request.headers, body) ??
    cards(url, method, body) ??
    wechat(url, method, body) ??
    mass.page(url, method, body) ??
    fans(url, method, body) ??
    followers.control(url, method, body) ??
    takeaway(url, method, body) ??
    nuonuo(request, body) ??
    sms(request, body)
  );
};
const token = process.env["SIMULATOR_TOKEN"];
const server = createServer((request, reply) => {
  // Whoever started it knows it by this.
  if (token && request.url === "/proof") return void reply.writeHead(200).end(token);
  void bodyOf(request)
    .then((body) => answerOf(request, body))
    .catch(() => ({ status: 400, type: "application/json; charset=utf-8", text: JSON.stringify({ message: "请求有误" }) }))
    .then((answer) => {
      // A fault: the request was heard, and nobody answers.
      if (answer === "silence") return void request.socket.destroy();
      reply
        .writeHead(answer.status, {
          "content-type": answer.type,
          "cache-control": "no-store",
          ...("location" in answer && typeof answer.location === "string" && { location: answer.location }),
        })
        .end(answer.text);
    });
});
server.once("error", (error: NodeJS.ErrnoException) => {
  process.stderr.write(`${error.code === "EADDRINUSE" ? `端口 ${values.port} 已被占用，请用 SIMULATOR_PORT 换一组` : error.message}\n`);
  process.exit(1);
});
server.listen(Number(values.port), values.host, () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`平台模拟器 http://${values.host}:${port}/sms\n`);
});

function stop(): void {
  server.close(() => process.exit(0));
  server.closeAllConnections();
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
if (values["with-parent"]) process.stdin.resume().once("end", stop);
