import { createServer, type IncomingMessage } from "node:http";
import { parseArgs } from "node:util";
import { openSms } from "./sms.ts";
import { openWechatCards } from "./wechat-cards.ts";
import { openWechatFans } from "./wechat-fans.ts";

// Plays the platforms that the product talks to besides payment channels, each behind a path of its own: an SMS provider, WeChat's member cards, official accounts.
const { values } = parseArgs({
  options: {
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "8092" },
    // Ends when whoever started it ends: its standard input is then closed.
    "with-parent": { type: "boolean", default: false },
  },
});
const MOST_BYTES = 64 * 1024;
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
const fans = openWechatFans(() => Date.now());
const answerOf = (request: IncomingMessage, body: string) => {
  const [url, method] = [request.url ?? "", request.method ?? ""];
  return cards(url, method, body) ?? fans(url, method, body) ?? sms(request, body);
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
      reply.writeHead(answer.status, { "content-type": answer.type, "cache-control": "no-store" }).end(answer.text);
    });
});
server.once("error", (error: NodeJS.ErrnoException) => {
  process.stderr.write(`${error.code === "EADDRINUSE" ? `端口 ${values.port} 已被占用，请用 SIMULATOR_PORT 换一组` : error.message}\n`);
  process.exit(1);
});
server.listen(Number(values.port), values.host, () => process.stdout.write(`平台模拟器 http://${values.host}:${values.port}/sms\n`));

function stop(): void {
  server.close(() => process.exit(0));
  server.closeAllConnections();
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
if (values["with-parent"]) process.stdin.resume().once("end", stop);
