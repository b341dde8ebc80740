import { connect, createServer, type Socket } from "node:net";
import type { SocketConnection } from "@zhangfang/server/database/embedded-postgres.ts";

/** A wire to a database that breaks exactly at a commit. */
interface LossyWire {
  readonly port: number;
  /**
   * What becomes of the nth commit from now on: it never reaches the database, or it is done and its answer is lost. The connection is
   * gone either way, and nobody on it can tell which.
   * @param what undefined: nothing is lost any more
   */
  lose(what: "commit" | "answer" | undefined, nth?: number): void;
  /** How many were lost so far. */
  lost(): number;
  close(): Promise<void>;
}

/** Stands between a pool and its database, and passes on everything until it is told not to. */
export async function openLossyWire(database: SocketConnection): Promise<LossyWire> {
  let losing: "commit" | "answer" | undefined;
  let left = 0;
  let lost = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(`${database.host}/.s.PGSQL.${database.port}`);
    let deaf = false;
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        behind.destroy();
      });
    }
    client.on("data", (bytes: Buffer) => {
      const what = losing;
      if (what === undefined || !bytes.includes("commit\0") || --left > 0) return void behind.write(bytes);
      losing = undefined;
      lost++;
      if (what === "commit") return void client.destroy();
      deaf = true;
      behind.write(bytes);
    });
    behind.on("data", (bytes: Buffer) => {
      // It is done, and nobody hears of it.
      if (deaf) client.destroy();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    lose(what, nth = 1) {
      losing = what;
      left = nth;
    },
    lost: () => lost,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
