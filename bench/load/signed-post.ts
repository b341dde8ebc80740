import { createHash, createHmac, randomBytes } from "node:crypto";
import { Agent, request } from "node:http";

/** A till, as it signs. */
export interface Signer {
  readonly sn: string;
  readonly key: string;
}
export const openAgent = (sockets: number): Agent => new Agent({ keepAlive: true, maxSockets: sockets });

/** The headers of a signed call (docs/devices.md). */
export function signedHeaders({ sn, key }: Signer, path: string, body: string): Record<string, string | number> {
  const timestamp = String(Date.now());
  const nonce = randomBytes(12).toString("hex");
  const digest = createHash("sha256").update(body).digest("hex");
  return {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-device-sn": sn,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": createHmac("sha256", key).update(`POST\n${path}\n${timestamp}\n${nonce}\n${digest}\n`).digest("hex"),
  };
}
/** One signed call. @throws where the answer is not a 200 */
export function signedPost<T>(port: number, agent: Agent, till: Signer, path: string, given: object): Promise<T> {
  const body = JSON.stringify(given);
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", agent, headers: signedHeaders(till, path, body) }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.once("end", () => {
        const text = Buffer.concat(pieces).toString();
        if (answer.statusCode === 200) resolve(JSON.parse(text) as T);
        else reject(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`));
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
