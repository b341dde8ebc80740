import { parseArgs } from "node:util";
import { startSimulator } from "./simulator.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: ".data/channel-simulator" },
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: process.env["SIMULATOR_PORT"] ?? "8090" },
    // Ends when whoever started it ends: its standard input is then closed.
    "with-parent": { type: "boolean", default: false },
    speed: { type: "string", default: process.env["SIMULATOR_SPEED"] ?? "1" },
  },
});
const speed = Number(values.speed);
const port = Number(values.port);
if (!(speed > 0) || !Number.isInteger(port)) {
  process.stderr.write("用法：npm run simulator -- --data 目录 --port 端口 --speed 倍数\n");
  process.exit(2);
}
const simulator = await startSimulator({
  token: process.env["SIMULATOR_TOKEN"],
  directory: values.data,
  host: values.host,
  port,
  settings: { speed, refundAfter_ms: 5_000, notificationKey: "public-key", masks: false },
}).catch((error: NodeJS.ErrnoException) => {
  process.stderr.write(`${error.code === "EADDRINUSE" ? `端口 ${port} 已被占用，请用 SIMULATOR_PORT 换一个` : error.message}\n`);
  process.exit(1);
});
// The line that whoever started this process waits for.
process.stdout.write(`支付通道模拟器 ${simulator.url}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void simulator.stop().then(() => process.exit(0)));
if (values["with-parent"]) process.stdin.resume().once("end", () => void simulator.stop().then(() => process.exit(0)));
