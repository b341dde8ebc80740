import { startServer } from "./part.ts";
import { actorOf } from "./actors.ts";
const connection = JSON.parse(process.argv[2]!);
const server = await startServer(connection, 9196);
for (const actor of ["provider", "agent"] as const)
  for (const path of [
    "/api/organisation/merchants?pageSize=20&withTotal=true&keyword=",
    "/newokpayorderservice/api/merchants?keyword=",
    "/api/stores?pageSize=20&withTotal=true&keyword=",
    "/newokpayorderservice/api/stores/list?type=all&keyword=",
  ])
    for (const k of ["青羊旺", "咖啡", "jbc", "8000060", "7919", "没有这样的店", ""]) {
      const t = performance.now();
      const r = await fetch(`http://127.0.0.1:9196${path}${encodeURIComponent(k)}`, {
        headers: { authorization: `Bearer ${actorOf(actor).token}` },
      });
      const b = await r.text();
      console.log(actor, path.slice(0, 40), k, r.status, (performance.now() - t).toFixed(0), "ms", b.length);
    }
await server.stop();
process.exit(0);
