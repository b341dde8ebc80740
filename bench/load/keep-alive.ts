import { connect } from "node:net";

/**
 * Sends requests one after the other through one keep-alive connection and reads no more of an answer than its status and
 * its end: the sender shares the machine with what it measures, so its own cost is kept low.
 * @param next the bytes of the next request; undefined ends it
 * @param done told after each answer with its duration
 * @throws where an answer is not a 200
 */
export function keepAlive(port: number, next: () => Buffer | undefined, done: (duration_ms: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let sent_ms = 0;
    let head = "";
    let left = -1;
    const send = () => {
      const request = next();
      if (!request) return void socket.end(resolve);
      sent_ms = performance.now();
      socket.write(request);
    };
    socket.on("error", reject);
    socket.on("connect", send);
    socket.on("data", (chunk) => {
      if (left < 0) {
        head += chunk.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        if (!head.startsWith("HTTP/1.1 200")) return reject(new Error(head.slice(0, 2000)));
        left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4);
        head = "";
      } else left -= chunk.length;
      if (left > 0) return;
      left = -1;
      done(performance.now() - sent_ms);
      send();
    });
  });
}
