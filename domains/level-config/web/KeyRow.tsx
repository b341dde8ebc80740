import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, useId } from "react";
import { NumberInput, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { PictureInput } from "@zhangfang/web/form/files/PictureInput.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { type ConfigKey, type ConfigValue, itemType, PICTURE_MOST, valueWords, wrongValue } from "../contract/index.ts";

/** What a row knows of its key at the node; nothing where several nodes are set at once. */
export interface Known {
  readonly value: ConfigValue;
  readonly own: ConfigValue | null;
  readonly from: { readonly item_type: number; readonly item_id: string; readonly item_name: string } | null;
  readonly changed_by: string | null;
  readonly changed_at: string | null;
  readonly settable: boolean;
}
interface Props {
  readonly of: ConfigKey;
  readonly known: Known | undefined;
  /** What is to be saved: undefined leaves it as it is, null goes back to what is inherited. */
  readonly edit: ConfigValue | null | undefined;
  onEdit(value: ConfigValue | null | undefined): void;
  upload(base64: string): Promise<string | undefined>;
}

/** One key: its value in the input that fits it, where the value comes from, and the way back to what is inherited. */
export function KeyRow({ of: key, known, edit, onEdit, upload }: Props): ReactNode {
  const id = useId();
  const touched = edit !== undefined;
  const wrong = edit === undefined || edit === null ? undefined : wrongValue(key, edit);
  const settable = known?.settable ?? true;
  const shown = edit ?? known?.value;
  return (
    <div className={touched ? "key-row key-touched" : "key-row"}>
      <div className="key-name">
        <label htmlFor={id}>{key.name}</label>
        {key.note && <p className="note">{key.note}</p>}
      </div>
      <div className="key-value">
        {edit === null ? (
          <p className="key-back">将恢复继承</p>
        ) : (
          <ValueInput
            key={String(touched)}
            id={id}
            of={key}
            value={shown}
            disabled={!settable}
            wrong={wrong}
            onChange={onEdit}
            upload={upload}
          />
        )}
        {wrong && (
          <p className="field-error" role="alert" id={`${id}e`}>
            {wrong}
          </p>
        )}
      </div>
      <div className="key-from">
        {known && <From of={key} known={known} />}
        {touched ? (
          <Button small tone="link" onClick={() => onEdit(undefined)}>
            取消修改
          </Button>
        ) : known === undefined || (settable && known.own !== null) ? (
          <Button small tone="link" onClick={() => onEdit(null)}>
            恢复继承
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** 来源: this level's own, the level above that it comes from, or the default. */
function From({ of: key, known }: { of: ConfigKey; known: Known }): ReactNode {
  const { from, own } = known;
  const where = own !== null ? "本级设置" : from ? levelWords`继承自${itemType.label(from.item_type as 0)}「${from.item_name}」` : "默认值";
  return (
    <p className={own !== null ? "key-own" : "note"}>
      {where}
      {own !== null && known.changed_by && (
        <span className="note">
          {" "}
          {known.changed_by} <Time at={known.changed_at} />
        </span>
      )}
      {!known.settable && key.levels.length > 0 && (
        <span className="note"> · 只能在{key.levels.map((level) => levelWords(itemType.label(level))).join("、")}设置</span>
      )}
    </p>
  );
}

function ValueInput({
  id,
  of: key,
  value,
  disabled,
  wrong,
  onChange,
  upload,
}: {
  id: string;
  of: ConfigKey;
  value: ConfigValue | undefined;
  disabled: boolean;
  wrong: string | undefined;
  onChange: (value: ConfigValue | undefined) => void;
  upload: Props["upload"];
}): ReactNode {
  const aria = { id, disabled, "aria-invalid": wrong ? true : undefined, "aria-describedby": wrong ? `${id}e` : undefined } as const;
  switch (key.valueType) {
    case "int": {
      const [min, max] = String(key.valueRange).split(/(?<=\d)-/);
      return <NumberInput {...aria} value={value as number} onChange={onChange} unit={`${key.unit} ${min}–${max}`.trim()} />;
    }
    case "switch":
      return (
        <Switch {...aria} value={value as boolean} onChange={onChange} label={value === undefined ? "不改" : valueWords(key, value)} />
      );
    case "select":
      return (
        <Select
          {...aria}
          className="pick"
          value={value ?? null}
          placeholder="不改"
          options={typeof key.valueRange === "string" ? [] : key.valueRange.map(([one, label]) => ({ value: one, label }))}
          onChange={(one) => onChange(one as ConfigValue)}
        />
      );
    case "image":
      return disabled ? (
        <span>{valueWords(key, value ?? "")}</span>
      ) : (
        <PictureInput
          {...aria}
          value={(value as string) || null}
          name={key.name}
          most={PICTURE_MOST}
          upload={upload}
          onChange={(url) => onChange(url ?? "")}
        />
      );
    case "text":
      return (
        <TextInput
          {...aria}
          value={(value as string) ?? ""}
          placeholder={value === undefined ? "不改" : ""}
          onChange={(text) => onChange(text ?? "")}
        />
      );
  }
}
