import { type ReactNode, useId } from "react";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { yesNo } from "../../contract/codes.ts";
import { type Dossier, type Field, listOf } from "../../contract/rules/dossier.ts";
import { AreaControl, areaName, type Regions } from "./AreaControl.tsx";
import { HINTS } from "./field-hints.ts";
import { PictureControl } from "./PictureControl.tsx";
import { optionsOf } from "./sections.ts";
import { ChoiceControl, ChoicesControl, type Control, DayControl, SecretControl, TextControl } from "./TextControls.tsx";
import type { Pictures } from "./use-pictures.ts";
import "./fields.css";

export type FieldValue = string | readonly string[];
/** Something said under a field: what is wrong, what to look at, what somebody else did. */
export interface Said {
  readonly tone: "bad" | "warn" | "note";
  readonly text: ReactNode;
}
export interface FieldRowProps {
  readonly field: Field;
  /** All of it as it is shown: what a field offers hangs on others. */
  readonly dossier: Dossier;
  /** It is a secret that is kept, and what is shown of it is masked. */
  readonly masked: boolean;
  /** To be read, not changed. */
  readonly locked?: boolean;
  /** Why it is locked, in a word. */
  readonly lockedWhy?: string;
  /** Whether 小微 may be chosen. */
  readonly micro: boolean;
  /** Provinces with their cities; undefined until they are there. */
  readonly regions: Regions | undefined;
  readonly said?: readonly Said[];
  readonly pictures: Pictures;
  readonly onChange: (value: FieldValue) => void;
  /** Nobody is typing in it any more. */
  readonly onDone: () => void;
}

/** One field of the table with its label, its control and what is said of it; `data-path` leads to it. */
export function FieldRow(props: FieldRowProps): ReactNode {
  const { field, dossier, locked = false } = props;
  const hint = locked ? undefined : HINTS[field.path];
  const said: readonly Said[] = [...(props.said ?? []), ...(hint === undefined ? [] : [{ tone: "note" as const, text: hint }])];
  const id = useId();
  const wrong = said.some(({ tone }) => tone === "bad");
  const isGroup = field.form === "picture" || field.form === "pictures" || field.form === "choices" || field.form === "flag";
  const wide = field.form === "pictures" || field.form === "choices" || field.path === "extra.message";
  const label = (
    <>
      {field.label}
      {!field.needed(dossier) && <span className="optional">（选填）</span>}
    </>
  );
  return (
    <div className={`field${wrong ? " field-wrong" : ""}${wide ? " dossier-wide" : ""}`} data-path={field.path}>
      {isGroup || locked ? <span className="dossier-label">{label}</span> : <label htmlFor={id}>{label}</label>}
      {locked && field.form !== "picture" && field.form !== "pictures" ? (
        <Locked {...props} id={id} />
      ) : (
        <ControlOf {...props} id={id} wrong={wrong} describedBy={said.length > 0 ? `${id}s` : undefined} />
      )}
      <div id={`${id}s`} className="dossier-says">
        {said.map(({ tone, text }, at) => (
          <p key={at} className={tone === "bad" ? "field-error" : tone === "warn" ? "dossier-warn" : "field-help"}>
            {text}
          </p>
        ))}
      </div>
    </div>
  );
}

/** What stands there, and that it can't be changed now. */
function Locked({ id, field, dossier, micro, regions, lockedWhy = "已锁" }: FieldRowProps & { id: string }): ReactNode {
  const options = field.form === "flag" ? yesNo.options : optionsOf(field, dossier, micro);
  const words = listOf(dossier, field.path).map((text) =>
    field.form === "area" ? areaName(regions, text) : (options.find(({ value }) => value === text)?.label ?? text),
  );
  return (
    <span className="affixed dossier-locked">
      <input
        id={id}
        className="input dossier-kept"
        readOnly
        aria-label={`${field.label}，${lockedWhy}`}
        value={words.join("、") || "没有填"}
      />
      <span className="affix" title={lockedWhy}>
        <Icon name="lock" />
      </span>
    </span>
  );
}

function ControlOf({
  field,
  dossier,
  masked,
  locked = false,
  micro,
  regions,
  pictures,
  onChange,
  onDone,
  ...more
}: FieldRowProps & { id: string; wrong: boolean; describedBy: string | undefined }): ReactNode {
  const { id, wrong, describedBy } = more;
  const given = dossier[field.path];
  const value = typeof given === "string" ? given : "";
  const control: Control = { id, field, value, wrong, describedBy, onChange, onDone };
  switch (field.form) {
    case "picture":
    case "pictures":
      return (
        <PictureControl
          {...{ id, field, locked, wrong, describedBy, pictures }}
          files={listOf(dossier, field.path)}
          onFiles={(files) => {
            onChange(field.form === "picture" ? (files[0] ?? "") : files);
            onDone();
          }}
        />
      );
    case "choices":
      return (
        <ChoicesControl
          {...control}
          options={optionsOf(field, dossier, micro)}
          values={listOf(dossier, field.path)}
          onValues={(values) => {
            onChange(values);
            onDone();
          }}
        />
      );
    case "flag":
      return <ChoiceControl {...control} options={yesNo.options} />;
    case "choice":
      return <ChoiceControl {...control} options={optionsOf(field, dossier, micro)} />;
    case "area":
      return <AreaControl {...{ id, wrong, describedBy, regions, onChange }} label={field.label} value={value} onBlur={onDone} />;
    case "begin":
    case "end":
      return <DayControl {...control} />;
    default:
      if (field.path === "owners.count") return <ChoiceControl {...control} options={optionsOf(field, dossier, micro)} />;
      return field.secret ? <SecretControl {...control} masked={masked} /> : <TextControl {...control} />;
  }
}
