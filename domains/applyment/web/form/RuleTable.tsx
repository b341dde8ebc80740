import type { ReactNode } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { subjectType, type SubjectType } from "../../contract/codes.ts";
import { type Dossier, textOf } from "../../contract/rules/dossier.ts";
import { ACTIVITY_RULES, SETTLEMENT_RULES } from "../../contract/rules/settlement-rules.ts";

/** Where WeChat Pay keeps the whole of it. */
const OFFICIAL = "https://kf.qq.com/faq/220228IJb2UV220228uEjU3Q.html";
const CHEAP = "0.20";

/** 结算规则: what is known for the subject, with its source; a row fills in number and trade. */
export function RuleTable({
  dossier,
  locked,
  onChoose,
}: {
  dossier: Dossier;
  locked: boolean;
  onChoose: (values: Readonly<Record<string, string>>) => void;
}): ReactNode {
  const subject = textOf(dossier, "subject.type") as SubjectType;
  const [id, trade] = [textOf(dossier, "settlement.id"), textOf(dossier, "settlement.trade")];
  const rules = SETTLEMENT_RULES.filter(({ subjects }) => (subject as string) === "" || subjects.includes(subject));
  return (
    <section className="filing-rules" aria-label="结算规则参考表">
      <h3>
        参考表{(subject as string) !== "" && `：${subjectType.label(subject)}`}
        <a className="link" href={OFFICIAL} target="_blank" rel="noreferrer">
          微信支付的对照表
        </a>
      </h3>
      {rules.length === 0 ? (
        <p className="note">参考表里没有这种主体，请照微信支付的对照表填写编号和行业。</p>
      ) : (
        <ul>
          {rules.map((rule) => {
            const chosen = rule.id === id && rule.trade === trade;
            return (
              <li key={`${rule.id} ${rule.trade}`}>
                <span className="num">{rule.id}</span>
                <span>
                  {rule.trade}
                  <small>
                    {rule.licence ? `${rule.licence.needed ? "要上传" : ""}${rule.licence.name}，` : "未列资质，"}
                    {rule.source}
                  </small>
                </span>
                {chosen ? (
                  <span className="filing-good">已选</span>
                ) : (
                  !locked && (
                    <Button
                      tone="link"
                      aria-label={`用 ${rule.id} ${rule.trade}`}
                      onClick={() => onChoose({ "settlement.id": rule.id, "settlement.trade": rule.trade })}
                    >
                      用这条
                    </Button>
                  )
                )}
              </li>
            );
          })}
        </ul>
      )}
      <p className="note">
        0.2% 活动：已知 {ACTIVITY_RULES.join("、")} 可以参加（第三方资料 2026-11）。填了活动编号，两项费率都要填。
        {textOf(dossier, "settlement.activity") !== "" && !locked && (
          <Button tone="link" onClick={() => onChoose({ "settlement.debitRate": CHEAP, "settlement.creditRate": CHEAP })}>
            两项都填 {CHEAP}
          </Button>
        )}
      </p>
    </section>
  );
}
