import { randomBytes } from "node:crypto";
import { generateKeyPairSync } from "node:crypto";
import { sm2 } from "sm-crypto-v2";
import type { Fault } from "../faults.ts";
import type { PlatformKeys } from "../keys.ts";
import { text } from "../reply.ts";
import type { Merchant, Notice, State } from "../state.ts";
import { amount, namer, signed, write } from "./dialect.ts";
import { full, refundFields, tradeFields } from "./rules.ts";

const ANSWER_WITHIN_MS = 5_000;
const LIAR = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const SM2_LIAR = sm2.generateKeyPairHex();

interface Means {
  readonly state: State;
  readonly keys: () => PlatformKeys;
}
/** Tells of a payment or a refund in the acquirer's dialect; only its own word is a yes. The status of the answer, 0 where there was none. */
export async function postAcquirer(merchant: Merchant, { state, keys }: Means, notice: Notice, fault: Fault | undefined): Promise<number> {
  const { acquirer } = merchant;
  const trade = state.trades.get(text(notice.resource["trade"]));
  const refund = state.refunds.get(text(notice.resource["refund"]));
  if (!acquirer || !trade) return 0;
  const dialect = acquirer.mapping;
  const name = namer(dialect, dialect.notice);
  const more = fault?.kind === "wrong-amount" ? 1 : 0;
  const fields = refund
    ? refundFields(dialect, trade, { ...refund, amount: refund.amount + more })
    : tradeFields(dialect, { ...trade, total: trade.total + more }, false);
  const said = Object.fromEntries(Object.entries(fields).map(([field, value]) => [name(field), value]));
  const message = full({
    ...(dialect.notice["amount"] && !refund ? { [namer(dialect)("amount")]: amount(dialect, trade.total + more) } : {}),
    ...said,
    [name("merchant")]: fault?.kind === "wrong-merchant" ? "SOMEBODY" : acquirer.merchantNo,
    [name("nonce")]: randomBytes(8).toString("hex"),
  });
  const forged = fault?.kind === "forged" || fault?.kind === "probe" || fault?.kind === "stale";
  const own = keys();
  const liar = { ...own, publicKey: { ...own.publicKey, privateKeyPem: LIAR }, sm2: SM2_LIAR };
  const body = write(dialect.encoding, await signed(dialect, forged ? liar : own, message));
  try {
    const answer = await fetch(notice.url, {
      method: "POST",
      headers: { "Content-Type": dialect.encoding === "json" ? "application/json" : "application/x-www-form-urlencoded" },
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: "manual",
    });
    const reply = await answer.text();
    return answer.status === 200 && reply !== dialect.reply ? 406 : answer.status;
  } catch {
    return 0;
  }
}
