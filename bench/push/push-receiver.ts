// A process that takes every push at once and counts them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let count = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    count += 1;
    response.end("ok");
  });
});
process.on("message", (ask: { readonly kind: "open" | "count" }) => {
  if (ask.kind === "count") return void process.send?.({ count });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once("disconnect", () => process.exit(0));
