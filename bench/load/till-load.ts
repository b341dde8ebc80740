// A process that is the tills of a shop: each payment is signed and sent at its own moment, whether or not those before it were answered.
import { createHash, createHmac, randomBytes } from "node:crypto";

export interface TillInput {
  readonly port: number;
  readonly devices: readonly { readonly sn: string; readonly key: string }[];
  readonly payments: number;
  readonly each_ms: number;
}
export interface TillFigures {
  /** From the moment at which a payment was due to its answer. */
  readonly took_ms: readonly number[];
  /** Answers that are not a paid order. */
  readonly refused: readonly string[];
}
const URL_OF = "/api/till/orders";

process.once("message", (input: TillInput) => void run(input).then((figures) => process.send?.(figures, () => process.exit(0))));

async function run({ port, devices, payments, each_ms }: TillInput): Promise<TillFigures> {
  const took_ms: number[] = [];
  const refused: string[] = [];
  const begun_ms = performance.now();
  const all: Promise<void>[] = [];
  for (let at = 0; at < payments; at++) {
    const due_ms = begun_ms + at * each_ms;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due_ms - performance.now())));
    all.push(
      pay(port, devices[at % devices.length]!, at).then((said) => {
        took_ms.push(performance.now() - due_ms);
        if (said !== undefined) refused.push(said);
      }),
    );
  }
  await Promise.all(all);
  return { took_ms, refused };
}

async function pay(port: number, { sn, key }: TillInput["devices"][number], at: number): Promise<string | undefined> {
  const body = JSON.stringify({
    tillNo: randomBytes(12).toString("hex"),
    tradeType: "MICROPAY",
    subject: "午餐",
    grossCents: 1_000 + at,
    authCode: "130000000099999999",
  });
  const timestamp = String(Date.now());
  const nonce = randomBytes(12).toString("hex");
  const digest = createHash("sha256").update(body).digest("hex");
  const signature = createHmac("sha256", key).update(`POST\n${URL_OF}\n${timestamp}\n${nonce}\n${digest}\n`).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-device-sn": sn,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": signature,
  };
  const answer = await fetch(`http://127.0.0.1:${port}${URL_OF}`, { method: "POST", headers, body });
  const said = await answer.text();
  return answer.ok && (JSON.parse(said) as { status?: number }).status === 2 ? undefined : `${answer.status} ${said.slice(0, 200)}`;
}
