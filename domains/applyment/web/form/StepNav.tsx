import type { ReactNode } from "react";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { step as steps, type Step } from "../../contract/codes.ts";
import { fieldOf } from "../../contract/rules/fields.ts";
import type { Finding } from "../../contract/rules/finding.ts";
import type { Standing } from "./state/standing.ts";

/** The five steps, each with what is wrong in it; Alt and its number leads there. */
export function StepNav({
  step,
  standing,
  findings,
  onStep,
}: {
  step: Step;
  standing: Standing;
  findings: readonly Finding[];
  onStep: (step: Step) => void;
}): ReactNode {
  return (
    <nav className="sheet filing-steps" aria-label="进件步骤">
      <ol>
        {steps.options.map(({ value, label }) => (
          <li key={value}>
            <button
              type="button"
              className={value === step ? "filing-step filing-here" : "filing-step"}
              aria-current={value === step ? "step" : undefined}
              aria-keyshortcuts={`Alt+${value}`}
              onClick={() => onStep(value)}
            >
              <span>
                <span className="num">{value}</span> {label}
              </span>
              <Badge
                rejected={standing.untouched.filter((path) => fieldOf(path)?.step === value).length}
                findings={findings.filter((one) => one.step === value)}
              />
            </button>
          </li>
        ))}
      </ol>
      <p className="note filing-keys">Alt + 1…5 换步，F8 到下一处要改的，Ctrl + S 保存</p>
    </nav>
  );
}

function Badge({ rejected, findings }: { rejected: number; findings: readonly Finding[] }): ReactNode {
  const errors = findings.filter(({ severity }) => severity === "error");
  const missing = errors.filter(({ rule }) => rule === "missing").length;
  if (rejected > 0) return <span className="filing-bad">{rejected} 处驳回</span>;
  if (errors.length > missing) return <span className="filing-bad">{errors.length - missing} 处错误</span>;
  if (missing > 0) return <span className="filing-gap">差 {missing} 项</span>;
  if (findings.length > 0) return <span className="filing-warn">{findings.length} 处提醒</span>;
  return (
    <span className="filing-good">
      <Icon name="check" />
      <span className="sr-only">没有问题</span>
    </span>
  );
}
