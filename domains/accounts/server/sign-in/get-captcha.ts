import { implement } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { getCaptcha } from "../../contract/sign-in.ts";
import { captchaText, drawCaptcha } from "./draw-captcha.ts";

const LIFE_MS = 5 * 60_000;
const hashOf = (id: string, text: string): Buffer => sha256(`${id}:${text.toUpperCase()}`);

/** Makes a captcha; only the hash of its answer is kept. */
export const getCaptchaRoute = implement(getCaptcha, async (ctx) => {
  const captchaId = ctx.services.ids.uuid(ctx.now_ms);
  const text = captchaText();
  await ctx.platform("captcha", (tx) =>
    tx
      .insertInto("captchas")
      .values({ id: captchaId, answer_hash: hashOf(captchaId, text), expires_at: new Date(ctx.now_ms + LIFE_MS).toISOString() })
      .execute(),
  );
  return { captchaId, image: drawCaptcha(text) };
});

/** Whether the answer is right. Each captcha is good for one look, right or wrong. */
export async function takeCaptcha(tx: Transaction, id: string | undefined, answer: string | undefined, now: string): Promise<boolean> {
  if (!id || !answer) return false;
  const taken = await tx.deleteFrom("captchas").where("id", "=", id).returning(["answer_hash", "expires_at"]).executeTakeFirst();
  return taken !== undefined && taken.expires_at > now && taken.answer_hash.equals(hashOf(id, answer));
}
