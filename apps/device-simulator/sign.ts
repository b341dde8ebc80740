import { createHash, createHmac, randomBytes } from "node:crypto";

/** A device as its label says it. */
export interface Label {
  readonly sn: string;
  readonly key: string;
}

/** The headers of a signed call (docs/devices.md). */
export function sign({ sn, key }: Label, verb: string, url: string, body = ""): Record<string, string> {
  const timestamp = String(Date.now());
  const nonce = randomBytes(16).toString("hex");
  const digest = createHash("sha256").update(body).digest("hex");
  const signature = createHmac("sha256", key).update(`${verb}\n${url}\n${timestamp}\n${nonce}\n${digest}\n`).digest("hex");
  return { "x-device-sn": sn, "x-timestamp": timestamp, "x-nonce": nonce, "x-signature": signature };
}
