import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useAttemptKey } from "@zhangfang/web/form/attempt-key.ts";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { confirm, success, warning } from "@zhangfang/web/notify.ts";
import { accountBank, OTHER_BANK, subjectType, type SubjectType } from "../../../contract/codes.ts";
import { getDossier, listApplyments, listDossiers, submitApplyment } from "../../../contract/index.ts";
import { type Dossier, textOf } from "../../../contract/rules/dossier.ts";
import { merchantNameOf } from "../../../contract/rules/fields.ts";
import { maskOf } from "../../../contract/rules/masks.ts";
import { isFit } from "../../../contract/words.ts";
import { shownOf } from "./dossier-state.ts";
import { standingOf } from "./standing.ts";
import type { DossierForm } from "./use-dossier.ts";

type Told = OutputOf<typeof getDossier>;

/** Whose account the money will go to, as it is asked before it is sent. */
export function accountWords(dossier: Dossier): string {
  const bank = textOf(dossier, "account.bank");
  const name = bank === OTHER_BANK ? textOf(dossier, "account.branchName") || OTHER_BANK : accountBank.label(bank as never);
  const shown = (path: string): string => {
    const text = textOf(dossier, path);
    return text.includes("*") ? text : maskOf(path, text);
  };
  return `${name} ${shown("account.number")}（${shown("account.name")}）`;
}

/** What is asked before it is sent. @param isNew somebody else wrote since it was asked the last time */
export function askedOf(told: Told, dossier: Dossier, isNew: boolean): string {
  const subject = subjectType.label(textOf(dossier, "subject.type") as SubjectType);
  const untouched = standingOf(told, []).untouched.length;
  return levelWords`${isNew ? "资料刚被他人改过，请再看一遍。" : ""}把「${told.merchantName}」的开户资料${told.applyment === null ? "" : "改好再"}提交给微信支付？主体：${subject}「${merchantNameOf(dossier)}」；结算到：${accountWords(dossier)}。提交后到有结果前不能修改。${untouched > 0 ? `还有 ${untouched} 处驳回没有改。` : ""}`;
}
/**
 * 提交审核: asked with merchant, subject and account, and sent with the versions that were seen; where others wrote meanwhile it is read and
 * asked anew. The same attempt again where the answer was lost.
 */
export function useSubmit(merchantId: string, form: DossierForm, onSent: (id: string) => void) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const keyed = useAttemptKey(submitApplyment.idempotent, `applyment-submit:${merchantId}`);
  /** @returns what stands there now, where it is not what was seen */
  const send = async (told: Told, versions: Readonly<Record<string, number>>): Promise<Told | undefined> => {
    setBusy(true);
    try {
      const seen = { merchantId, versions, submissions: told.submissions };
      const { id } = await call(submitApplyment, keyed.add(seen) as typeof seen & { requestId: string });
      keyed.done();
      success("已提交，微信支付审核要 1 到 3 个工作日");
      onSent(id);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      if (failure.code === "dossier.changed") return await form.anew().catch(() => undefined);
    } finally {
      setBusy(false);
      for (const { path } of [getDossier, listDossiers, listApplyments]) void client.invalidateQueries({ queryKey: [path] });
    }
    return undefined;
  };
  const submit = async (told: Told, isNew = false): Promise<void> => {
    // All that was typed has to be there: it is sent from there.
    if (!(await form.keep(true))) return warning("还有写的没有保存好，保存好再提交");
    const seen = form.now();
    if (!(await confirm(askedOf(told, shownOf(seen), isNew), { ok: "提交审核" }))) return;
    const now = await send(told, seen.versions);
    if (now && isFit(now.findings) && !standingOf(now, []).readOnly) await submit(now, true);
  };
  return { busy, submit };
}
