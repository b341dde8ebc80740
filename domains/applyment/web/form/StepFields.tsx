import { type ReactNode, useMemo, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { listRegions } from "../../../reference/contract.ts";
import type { Step } from "../../contract/codes.ts";
import { findBanks, findBranches, type getDossier } from "../../contract/index.ts";
import type { Field } from "../../contract/rules/dossier.ts";
import type { Finding } from "../../contract/rules/finding.ts";
import { type BranchFinder, BranchPicker, byHand, needsBranch, PICKED } from "../fields/BranchPicker.tsx";
import { FieldRow, type FieldValue, type Said } from "../fields/FieldRow.tsx";
import { waitingOf } from "../fields/Waiting.tsx";
import { sectionsOf } from "../fields/sections.ts";
import type { Pictures } from "../fields/use-pictures.ts";
import { RuleTable } from "./RuleTable.tsx";
import type { Standing } from "./state/standing.ts";
import type { DossierForm } from "./state/use-dossier.ts";

const FIND: BranchFinder = {
  banks: (given) => call(findBanks, given, { quiet: true }),
  branches: (given) => call(findBranches, given, { quiet: true }),
};

/** One step: its sections, each field with what is said of it. */
export function StepFields({
  step,
  form,
  told,
  standing,
  pictures,
  isOpen,
  showsMissing,
}: {
  step: Step;
  form: DossierForm;
  told: OutputOf<typeof getDossier>;
  standing: Standing;
  pictures: Pictures;
  isOpen: (path: string) => boolean;
  /** Whether an empty field is blamed already. */
  showsMissing: (path: string) => boolean;
}): ReactNode {
  const { shown, findings } = form;
  const regions = useDetail(listRegions, {});
  const [typing, setTyping] = useState(false);
  const write = (values: Readonly<Record<string, FieldValue>>) =>
    Object.entries(values).forEach(([path, value]) => form.write(path, value));
  const picks = needsBranch(shown) && isOpen("account.branchId") && !typing;
  const sections = useMemo(() => sectionsOf(step, shown), [step, shown]);
  const saidOf = (field: Field): readonly Said[] => [
    ...reasonOf(standing, field.path),
    ...waitingOf(form, field),
    ...findings.filter(({ path, rule }) => path === field.path && (rule !== "missing" || showsMissing(path))).map(saidBy),
  ];
  return (
    <>
      {sections.map(({ name, title, fields }) => (
        <fieldset key={name} className="form-section">
          <legend>{title}</legend>
          <div className="dossier-fields">
            {fields.map((field) => (
              <FieldRow
                key={field.path}
                field={field}
                dossier={shown}
                masked={form.masked.has(field.path)}
                locked={!isOpen(field.path) || (picks && PICKED.has(field.path))}
                lockedWhy={picks && PICKED.has(field.path) ? "在下面选支行" : standing.readOnly ? "审核中不能改" : "没有驳回，已锁"}
                micro={told.micro}
                regions={regions.data}
                said={saidOf(field)}
                pictures={pictures}
                onChange={(value) => write(isOpen("account.branchId") ? byHand(shown, field.path, value) : { [field.path]: value })}
                onDone={() => form.done(field.path)}
              />
            ))}
          </div>
          {name === "settlement." && <RuleTable dossier={shown} locked={!isOpen("settlement.id")} onChoose={write} />}
          {name === "account." && needsBranch(shown) && isOpen("account.branchId") && (
            <BranchPicker dossier={shown} find={FIND} typing={typing} onTyping={setTyping} onChoose={write} />
          )}
        </fieldset>
      ))}
      {regions.error && (
        <p className="note">
          地区没有加载成功，
          <Button tone="link" onClick={() => void regions.refetch()}>
            重试
          </Button>
        </p>
      )}
    </>
  );
}

const saidBy = ({ severity, text }: Finding): Said => ({ tone: severity === "error" ? "bad" : "warn", text });
/** In WeChat's words; a field that was changed since says so. */
function reasonOf({ reasons }: Standing, path: string): readonly Said[] {
  const reason = reasons.get(path);
  if (!reason) return [];
  return [
    reason.untouched ? { tone: "bad", text: `微信支付：${reason.text}` } : { tone: "note", text: `已改。微信支付驳回过：${reason.text}` },
  ];
}
