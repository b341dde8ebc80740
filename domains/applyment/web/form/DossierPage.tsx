import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { applymentState, step as steps, type Step } from "../../contract/codes.ts";
import { addApplymentFile, type getDossier, lookAtApplymentFile, saveDossier, submitApplyment } from "../../contract/index.ts";
import { isFit } from "../../contract/words.ts";
import { usePictures } from "../fields/use-pictures.ts";
import { PaperWays } from "../phone/PaperWays.tsx";
import { DoctorAside } from "./DoctorAside.tsx";
import { Notices } from "./Notices.tsx";
import { hindrance, nextStop, standingOf, stopsOf } from "./state/standing.ts";
import { StepFields } from "./StepFields.tsx";
import { StepNav } from "./StepNav.tsx";
import { type DossierForm, useDossier } from "./state/use-dossier.ts";
import { useFormKeys, useSteps } from "./state/use-steps.ts";
import { useSubmit } from "./state/use-submit.ts";

type Told = OutputOf<typeof getDossier>;

/** One merchant's papers: steps, fields, 体检, and what sends them. */
export function DossierPage({ merchantId, told }: { merchantId: string; told: Told }): ReactNode {
  const root = useRef<HTMLElement>(null);
  const mayEdit = useAct(saveDossier);
  const living = standingOf(told, []);
  const form = useDossier(merchantId, told, mayEdit && !living.readOnly);
  const standing = standingOf(told, Object.keys(form.typed));
  const { step, toStep, toField, here } = useSteps(root, living.untouched[0]);
  const blamed = useBlamed(standing.rejected);
  const { isOpen, unlocked, unlock } = useLocks(form, standing, mayEdit);
  const pictures = usePicturesOf(merchantId, form);
  const navigate = useNavigate();
  const stops = stopsOf(standing, form.findings);
  const go = (path: string): void => {
    blamed.add(path);
    toField(path);
  };
  const changeStep = (to: Step): void => {
    void form.keep(true);
    toStep(to);
  };
  const next = (): void => {
    const path = nextStop(stops, here());
    if (path !== undefined) go(path);
  };
  useFormKeys({ keep: () => void form.keep(true), toStep: changeStep, next });
  return (
    <section
      className="filing"
      ref={root}
      onBlur={(event) => blamed.add(event.target.closest<HTMLElement>("[data-path]")?.dataset["path"])}
    >
      <header className="screen-head">
        <div className="filing-title">
          <h1>{told.merchantName}</h1>
          {told.applyment && <StatusTag of={applymentState} code={told.applyment.state} />}
          <Kept form={form} />
        </div>
        <div className="screen-acts">
          <PaperWays {...{ merchantId, merchantName: told.merchantName }} />
          <Button onClick={() => void navigate("/applyment/form")}>全部资料</Button>
          <Button onClick={() => void navigate(`/applyment/info?merchantId=${merchantId}`)}>查看历史</Button>
        </div>
      </header>
      <Notices told={told} standing={standing} />
      <div className="filing-grid">
        <StepNav step={step} standing={standing} findings={form.findings} onStep={changeStep} />
        <div className="sheet form filing-fields">
          <h2 className="sr-only">{steps.label(step)}</h2>
          <StepFields {...{ step, form, told, standing, pictures, isOpen }} showsMissing={blamed.has} />
          {standing.rejected && !unlocked && (
            <p>
              <Button tone="link" onClick={unlock}>
                解锁其他字段
              </Button>{" "}
              <span className="note">改了没驳回的栏，会整栏重新审</span>
            </p>
          )}
        </div>
        <DoctorAside dossier={form.shown} findings={form.findings} onGo={go} />
      </div>
      {!standing.readOnly && (
        <Bar {...{ merchantId, told, form, step, stops }} said={hindrance(standing, form.findings)} onStep={changeStep} onNext={next} />
      )}
    </section>
  );
}

/** When it was kept last, or why it was not. */
function Kept({ form: { failure, saving, dirty, savedAt, conflicts, typed, keep } }: { form: DossierForm }): ReactNode {
  if (failure !== undefined)
    return (
      <span className="filing-bad" role="alert">
        没有保存上：{failure}{" "}
        <Button tone="link" onClick={() => void keep(true)}>
          重试
        </Button>
      </span>
    );
  const [waiting, refused] = [Object.keys(conflicts).length, Object.values(typed).filter((one) => one.refused !== undefined).length];
  return (
    <span className="note num" role="status">
      {waiting > 0
        ? `${waiting} 栏等你选用谁写的`
        : refused > 0
          ? `${refused} 栏没有保存上`
          : saving || dirty
            ? "正在保存"
            : savedAt !== undefined && `已自动保存 ${shanghaiTime(savedAt).slice(11)}`}
    </span>
  );
}

/** Fields that somebody left, or was led to: an empty one of these is blamed for being empty. */
function useBlamed(all: boolean) {
  const [paths, setPaths] = useState<ReadonlySet<string>>(new Set());
  return {
    has: (path: string): boolean => all || paths.has(path),
    add: (path: string | undefined): void => {
      if (path !== undefined && !paths.has(path)) setPaths((old) => new Set([...old, path]));
    },
  };
}

/** After a rejection only what was rejected, is wrong or is missing can be changed, until somebody unlocks the rest. */
function useLocks(form: DossierForm, standing: ReturnType<typeof standingOf>, mayEdit: boolean) {
  const [unlocked, setUnlocked] = useState(false);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const wrong = form.findings
    .filter(({ severity }) => severity === "error")
    .map(({ path }) => path)
    .filter((path) => !opened.has(path));
  // What was open once stays so: it may be looked at again after it was put right.
  useEffect(() => {
    if (wrong.length > 0) setOpened((old) => new Set([...old, ...wrong]));
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wrong.join(" ")]);
  const free = !standing.rejected || unlocked || standing.reasons.size === 0;
  return {
    unlocked: unlocked || standing.reasons.size === 0,
    unlock: () => setUnlocked(true),
    isOpen: (path: string): boolean =>
      mayEdit &&
      !standing.readOnly &&
      (free || standing.reasons.has(path) || opened.has(path) || wrong.includes(path) || path in form.typed),
  };
}

function usePicturesOf(merchantId: string, form: DossierForm) {
  const mayLook = useAct(lookAtApplymentFile);
  return usePictures({
    upload: (base64, onSent) =>
      call(addApplymentFile, { merchantId, base64 }, { form: true, quiet: true, onSent }).then(
        ({ id }) => id,
        (failure: unknown) => {
          // One picture twice does no harm: nobody has to look first.
          throw failure instanceof ApiError && failure.away ? new Error("网络不通，没有传上去，图片还在这里") : failure;
        },
      ),
    keep: (field, file) => (field.form === "picture" ? form.write(field.path, file) : form.add(field.path, file)),
    look: mayLook
      ? (id) =>
          call(lookAtApplymentFile, { id }).then(
            ({ url }) => url,
            () => undefined,
          )
      : undefined,
  });
}

/** What stands in the way, the way through, and the one act. */
function Bar({
  merchantId,
  told,
  form,
  step,
  stops,
  said,
  onStep,
  onNext,
}: {
  merchantId: string;
  told: Told;
  form: DossierForm;
  step: Step;
  stops: readonly string[];
  said: string;
  onStep: (step: Step) => void;
  onNext: () => void;
}): ReactNode {
  const maySubmit = useAct(submitApplyment);
  const navigate = useNavigate();
  const { busy, submit } = useSubmit(merchantId, form, (id) => void navigate(`/applyment/info?id=${id}`));
  return (
    <div className="save-bar filing-bar">
      <span>{said}</span>
      <Button className="filing-back" disabled={step === 1} onClick={() => onStep((step - 1) as Step)}>
        上一步
      </Button>
      {step < 5 && <Button onClick={() => onStep((step + 1) as Step)}>下一步</Button>}
      <Button disabled={stops.length === 0} aria-keyshortcuts="F8" onClick={onNext}>
        下一处<kbd className="filing-kbd">F8</kbd>
      </Button>
      {maySubmit && (
        <Button tone="primary" busy={busy} disabled={!isFit(form.findings)} onClick={() => void submit(told)}>
          提交审核
        </Button>
      )}
    </div>
  );
}
