import { type ReactNode, useEffect, useRef, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { step as steps } from "../../contract/codes.ts";
import { addFillFile, findFillBanks, findFillBranches, getFillPage } from "../../contract/index.ts";
import type { Field } from "../../contract/rules/dossier.ts";
import { fieldOf } from "../../contract/words.ts";
import { type BranchFinder, BranchPicker, byHand, needsBranch, PICKED } from "../fields/BranchPicker.tsx";
import { FieldRow, type Said } from "../fields/FieldRow.tsx";
import { titled } from "../fields/sections.ts";
import { usePictures } from "../fields/use-pictures.ts";
import { nextStop } from "../form/state/standing.ts";
import { waitingOf } from "../fields/Waiting.tsx";
import { useFilling } from "./use-filling.ts";
import "./fill.css";

type Page = OutputOf<typeof getFillPage>;
type Shown = { readonly page: Page } | { readonly why: string };

/** The merchant's own page for its papers: the steps that its provider named, kept as they are typed. */
export function FillPage({ token }: { token: string }): ReactNode {
  const [asked, setAsked] = useState(0);
  return <Asked key={asked} token={token} onAgain={() => setAsked(asked + 1)} />;
}
function Asked({ token, onAgain }: { token: string; onAgain: () => void }): ReactNode {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    let wanted = true;
    call(getFillPage, { token }, { quiet: true }).then(
      (page) => wanted && setShown({ page }),
      (failure: unknown) =>
        wanted &&
        setShown({
          why:
            failure instanceof ApiError && failure.kind === "not-found" ? "链接无效或已停用，请向服务商要新的" : "打不开，请检查网络后重试",
        }),
    );
    return () => {
      wanted = false;
    };
  }, [token]);
  if (shown === undefined)
    return (
      <main className="fill">
        <Skeleton rows={6} />
      </main>
    );
  if ("why" in shown)
    return (
      <main className="fill">
        <h1>填写开户资料</h1>
        <p className="notice notice-warn" role="alert">
          {shown.why}
        </p>
        <Button onClick={onAgain}>重试</Button>
      </main>
    );
  return <Fields token={token} page={shown.page} />;
}

function Fields({ token, page: first }: { token: string; page: Page }): ReactNode {
  const form = useFilling(token, first);
  const { page, dossier } = form;
  const pictures = usePictures({
    upload: async (base64, onSent) => (await call(addFillFile, { token, base64 }, { form: true, quiet: true, onSent })).id,
    keep: (field, file) => (field.form === "picture" ? form.write(field.path, file) : form.add(field.path, file)),
  });
  const [typing, setTyping] = useState(false);
  const [find] = useState<BranchFinder>(() => ({
    banks: (given) => call(findFillBanks, { token, ...given }, { quiet: true }),
    branches: (given) => call(findFillBranches, { token, ...given }, { quiet: true }),
  }));
  const branch = page.closed === null && needsBranch(dossier);
  const choose = (values: Readonly<Record<string, string>>): void =>
    Object.entries(values).forEach(([path, value]) => {
      form.write(path, value);
      form.done(path);
    });
  const rejected = page.rejected.filter(({ path }) => page.paths.includes(path));
  return (
    <main className="fill">
      <header>
        <h1>{`${page.merchantName}的开户资料`}</h1>
        <p className="note fill-about">{`${page.brandName} 请你填写，用来开通微信支付。${shanghaiTime(page.until).slice(0, 16)} 前有效，填了自动保存，断网时写的留在这个页面里，连上再保存；证件号、卡号和姓名保存后不再完整显示，断网时关掉页面要重填。${page.paths.some((path) => fieldOf(path)?.form.startsWith("picture")) ? "图片在开户办完 180 天后销毁。" : ""}`}</p>
      </header>
      {page.closed !== null && <p className="notice notice-warn">{page.closed}</p>}
      {rejected.length > 0 && (
        <p className="notice notice-warn">{`微信支付驳回了 ${rejected.length} 栏，原因写在栏下；改好后服务商再提交。`}</p>
      )}
      {page.steps.map((step) => (
        <section key={step} className="sheet form fill-step" aria-label={steps.label(step)}>
          {titled(page.paths.flatMap((path) => fieldOf(path) ?? []).filter((field) => field.step === step)).map(
            ({ name, title, fields }) => (
              <fieldset key={name}>
                <legend>{title}</legend>
                {fields.map((field) => (
                  <FieldRow
                    key={field.path}
                    {...{ field, dossier, pictures }}
                    masked={form.masked.has(field.path)}
                    locked={page.closed !== null || (branch && !typing && PICKED.has(field.path))}
                    lockedWhy={page.closed === null ? "在下面选支行" : "审核中"}
                    micro={page.micro}
                    regions={page.regions}
                    said={saidOf(form, field)}
                    onChange={(value) => Object.entries(byHand(dossier, field.path, value)).forEach(([path, one]) => form.write(path, one))}
                    onDone={() => form.done(field.path)}
                  />
                ))}
                {name === "account." && branch && (
                  <BranchPicker dossier={dossier} find={find} typing={typing} onTyping={setTyping} onChoose={choose} />
                )}
              </fieldset>
            ),
          )}
        </section>
      ))}
      <Bar form={form} />
    </main>
  );
}

/** What is said under a field: what waits, why WeChat Pay sent it back, what the doctor finds once somebody was there. */
const saidOf = (form: ReturnType<typeof useFilling>, field: Field): readonly Said[] => {
  const { page, dossier, touched, typed } = form;
  return [
    ...waitingOf(form, field),
    ...page.rejected
      .filter(({ path }) => path === field.path)
      .map(({ path, reason, untouched }): Said =>
        untouched && !(path in typed)
          ? { tone: "bad", text: `微信支付：${reason}` }
          : { tone: "note", text: `已改。微信支付驳回过：${reason}` },
      ),
    ...page.findings
      .filter(({ path }) => path === field.path && (touched.has(path) || (dossier[path] !== undefined && !(path in typed))))
      .map(({ severity, text }): Said => ({ tone: severity === "error" ? "bad" : "warn", text })),
  ];
};

/** Whether it is kept, and what is left to fill in. */
function Bar({
  form: { failure, saving, savedAt, typed, conflicts, page, keep, touch },
}: {
  form: ReturnType<typeof useFilling>;
}): ReactNode {
  const wrong = new Set([
    ...page.findings.flatMap(({ path, severity }) => (severity === "error" ? [path] : [])),
    ...page.rejected.flatMap(({ path, untouched }) => (untouched && !(path in typed) ? [path] : [])),
  ]);
  const gaps = page.paths.filter((path) => wrong.has(path));
  const last = useRef<string>(undefined);
  const next = (): void => {
    const path = nextStop(gaps, last.current)!;
    last.current = path;
    touch(path);
    const place = document.querySelector<HTMLElement>(`[data-path="${path}"]`);
    place?.scrollIntoView({ block: "center" });
    place?.querySelector<HTMLElement>("input,select,button")?.focus({ preventScroll: true });
  };
  const [waiting, refused] = [Object.keys(conflicts).length, Object.values(typed).filter((one) => one.refused !== undefined).length];
  const kept = saving ? "正在保存" : savedAt ? `已保存 ${shanghaiTime(savedAt).slice(11, 16)}` : "";
  const stops = waiting > 0 ? `${waiting} 栏等你选用谁写的` : refused > 0 ? `${refused} 栏没有保存上` : undefined;
  return (
    <footer className="fill-bar">
      <span role="status" className={failure === undefined && stops === undefined ? "" : "fill-bad"}>
        {failure ?? stops ?? `${kept} ${gaps.length > 0 ? `还有 ${gaps.length} 处要填或要改` : "填好了，服务商会接着办"}`}
      </span>
      {failure !== undefined && <Button onClick={() => void keep(true)}>重试</Button>}
      {failure === undefined && page.closed === null && gaps.length > 0 && <Button onClick={next}>下一处</Button>}
    </footer>
  );
}
