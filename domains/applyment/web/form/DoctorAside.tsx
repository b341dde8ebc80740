import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { step as steps } from "../../contract/codes.ts";
import type { Dossier } from "../../contract/rules/dossier.ts";
import type { Finding } from "../../contract/rules/finding.ts";
import { passedOf } from "./state/live-findings.ts";

/** 体检: what would hold it up, each with the way to its field, and what is in order. */
export function DoctorAside({
  dossier,
  findings,
  onGo,
}: {
  dossier: Dossier;
  findings: readonly Finding[];
  onGo: (path: string) => void;
}): ReactNode {
  const errors = findings.filter(({ severity }) => severity === "error");
  const missing = errors.filter(({ rule }) => rule === "missing");
  const wrong = errors.filter(({ rule }) => rule !== "missing");
  const warnings = findings.filter(({ severity }) => severity === "warning");
  return (
    <aside className="sheet filing-doctor" aria-label="体检">
      <header>
        <h2>体检</h2>
        <span className="note">本机检查，不联网</span>
      </header>
      <p className="note" role="status">
        {errors.length === 0 ? "没有错误，可以提交" : `${errors.length} 处错误不能提交`}
        {warnings.length > 0 && (errors.length === 0 ? `；${warnings.length} 处提醒` : `，${warnings.length} 处提醒可以提交`)}
      </p>
      <ul>
        {[...wrong, ...warnings].map((one) => (
          <li key={`${one.path} ${one.rule} ${one.applymentId ?? ""}`}>
            <Found of={one} onGo={onGo} />
          </li>
        ))}
        {steps.options.map(({ value, label }) => {
          const gaps = missing.filter((one) => one.step === value);
          return (
            gaps.length > 0 && (
              <li key={`gap ${value}`}>
                <button type="button" className="filing-found" onClick={() => onGo(gaps[0]!.path)}>
                  <Icon name="info" className="filing-gap" />
                  <span>
                    {label}还差 {gaps.length} 项<small>{gaps.length > 3 ? `${names(gaps.slice(0, 3))}等` : names(gaps)}</small>
                  </span>
                </button>
              </li>
            )
          );
        })}
        {passedOf(dossier, findings).map(({ text, note }) => (
          <li key={text} className="filing-found">
            <Icon name="good" className="filing-good" />
            <span>
              {text}
              <small>{note}</small>
            </span>
          </li>
        ))}
      </ul>
    </aside>
  );
}
const names = (gaps: readonly Finding[]): string => gaps.map(({ label }) => label).join("、");

function Found({ of: { path, severity, text, step, label, applymentId }, onGo }: { of: Finding; onGo: (path: string) => void }): ReactNode {
  const bad = severity === "error";
  return (
    <>
      <button type="button" className="filing-found" onClick={() => onGo(path)}>
        <Icon name={bad ? "bad" : "warning"} className={bad ? "filing-bad" : "filing-warn"} />
        <span>
          <span className="sr-only">{bad ? "错误：" : "提醒："}</span>
          {text}
          <small>
            {steps.label(step)} · {label}
          </small>
        </span>
      </button>
      {applymentId !== undefined && (
        <Link className="link filing-other" to={`/applyment/info?id=${applymentId}`}>
          看那一份申请
        </Link>
      )}
    </>
  );
}
