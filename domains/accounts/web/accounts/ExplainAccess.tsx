import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { useDetail, Group } from "@zhangfang/web/show/over/Detail.tsx";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { BUILT_SCREENS, explainAccess, explained, MENU } from "../../contract/index.ts";

type About = (typeof explained.values)[number];
const built = new Set<string>(BUILT_SCREENS);
/** Every item whose screen exists, as people call it. */
const ITEMS = MENU.filter((item) => item.parentId !== 0).flatMap((item) => {
  const screen = item.screen ? item : MENU.find((one) => one.id === item.parentId);
  const entry = MENU.find((one) => one.id === screen?.parentId);
  if (!screen?.screen || !built.has(screen.screen) || item.path === "/") return [];
  return [{ value: item.path, label: [entry?.name, screen.name, ...(item.screen ? [] : [item.name])].join(" / ") }];
});

/** 权限排查: whether this account may use a function or see a record, and which rule says so. */
export function ExplainAccess({ userId }: { userId: string }): ReactNode {
  const [about, setAbout] = useState<About>("item");
  const [subject, setSubject] = useState("");
  const [asked, setAsked] = useState<{ about: About; subject: string }>();
  const answer = useDetail(explainAccess, asked && { id: userId, ...asked });
  const ask = (given: string): void => setAsked(given.trim() === "" ? undefined : { about, subject: given.trim() });
  return (
    <Group title="权限排查">
      <form
        className="explain"
        onSubmit={(event) => {
          event.preventDefault();
          ask(subject);
        }}
      >
        <Select
          aria-label="排查内容"
          className="explain-about"
          options={[...explained.options]}
          value={about}
          onChange={(next) => {
            setAbout(next);
            setSubject("");
            setAsked(undefined);
          }}
        />
        {about === "item" ? (
          <Select
            aria-label="功能"
            className="explain-subject"
            placeholder="选择功能"
            showSearch={{ optionFilterProp: "label" }}
            options={ITEMS}
            value={subject || null}
            onChange={(path: string) => {
              setSubject(path);
              ask(path);
            }}
          />
        ) : (
          <input
            className="input explain-subject"
            aria-label={`${explained.label(about)}编号`}
            placeholder={about === "order" || about === "refund" ? "单号" : "编号"}
            maxLength={64}
            value={subject}
            onChange={(event) => setSubject(event.target.value)}
          />
        )}
        <Button type="submit" busy={answer.isFetching}>
          排查
        </Button>
      </form>
      {answer.error && <Failure error={answer.error as ApiError} retry={() => void answer.refetch()} />}
      {answer.data && <Answer {...answer.data} />}
    </Group>
  );
}

function Answer({ allowed, subject, rule, steps }: OutputOf<typeof explainAccess>): ReactNode {
  return (
    <div className="explain-answer" role="status">
      <p>
        <Tag tone={allowed ? "good" : "bad"}>{allowed ? "可以" : "不可以"}</Tag> {subject}，依据：{rule}
      </p>
      <ol>
        {steps.map((step) => (
          <li key={step.title}>
            <Tag tone={step.ok ? "good" : "bad"}>{step.ok ? "通过" : "不通过"}</Tag> {step.title}
            <span className="note">　{step.note}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
