import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { keepFirstSteps, type Steps } from "./use-todos.ts";
import "./todos.css";

/** 入门清单: what this account sets up first. A step is done when what it makes is there; the next one has the button. */
export function FirstSteps({ of }: { of: Steps | undefined }): ReactNode {
  const id = useId();
  const [busy, run] = useRun();
  if (!of?.shown) return null;
  const done = of.steps.filter((step) => step.done).length;
  const next = of.steps.find((step) => !step.done);
  return (
    <section className="sheet first-steps" aria-labelledby={id}>
      <header className="todos-head">
        <h2 id={id}>入门清单</h2>
        <span className="note num">{next ? `已完成 ${done} / ${of.steps.length}` : "全部完成"}</span>
        <Button tone="link" small busy={busy} onClick={() => void run(() => keepFirstSteps("hidden"))}>
          不再显示
        </Button>
      </header>
      <ol>
        {of.steps.map((step, index) => (
          <li key={step.key} className={step.done ? "first-step first-step-done" : "first-step"}>
            <span className="first-step-mark num" aria-hidden="true">
              {step.done ? <Icon name="check" size={14} /> : index + 1}
            </span>
            <div>
              {step.done ? (
                <p>
                  {levelWords(step.title)}
                  <span className="sr-only">，已完成</span>
                </p>
              ) : (
                <p>
                  <Link to={step.to}>{levelWords(step.title)}</Link>
                </p>
              )}
              <p className="note">{levelWords(step.why)}</p>
              {step === next && (
                <Link className="btn btn-primary btn-small first-step-act" to={step.to} aria-label={`现在去做：${levelWords(step.title)}`}>
                  现在去做
                </Link>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
