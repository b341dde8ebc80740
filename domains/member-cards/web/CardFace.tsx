import { Select } from "@zhangfang/web/select/Select.tsx";
import type { ReactNode } from "react";
import { call } from "@zhangfang/web/api/api.ts";
import type { InputProps } from "@zhangfang/web/form/Field.tsx";
import { CARD_TONES } from "@zhangfang/web/look/tokens.ts";
import { imageSrc } from "@zhangfang/web/show/image-src.ts";
import { addCardPicture, cardRight, type CardRight, cardTone } from "../contract/index.ts";
import "./cards.css";

export type Tone = keyof typeof CARD_TONES;
const paint = (tone: Tone) => ({ background: CARD_TONES[tone].face, color: CARD_TONES[tone].text });

interface Face {
  readonly name: string;
  readonly tone: Tone;
  readonly merchantName?: string;
  readonly logo?: string | null | undefined;
  readonly background?: string | null | undefined;
  readonly notice?: string | undefined;
  readonly phone?: string | undefined;
}
/** The card as its holder sees it; all of its words in the one colour that its tone can be read with. */
export function CardFace({ name, tone, merchantName = "", logo, background, notice, phone }: Face): ReactNode {
  return (
    <div
      className={background ? "membercard-face membercard-face-pictured" : "membercard-face"}
      style={{ ...paint(tone), "--card-face": CARD_TONES[tone].face } as object}
      role="img"
      aria-label={`卡面：${name || "未命名"}`}
    >
      {background && <img className="membercard-face-picture" src={imageSrc(background)} alt="" />}
      <div className="membercard-face-head">
        {logo && <img className="membercard-face-logo" src={imageSrc(logo)} alt="" />}
        <span>
          <span className="membercard-face-name">{name || "未命名"}</span>
          {merchantName && <span className="membercard-face-who">{merchantName}</span>}
        </span>
      </div>
      <span />
      {(notice || phone) && (
        <div className="membercard-face-foot">
          <span>{notice}</span>
          <span className="num">{phone}</span>
        </div>
      )}
    </div>
  );
}
/** A card's name beside its colour, in lists. */
export const Swatched = ({ tone, name }: { tone: Tone; name: string }): ReactNode => (
  <>
    <span className="membercard-swatch" style={{ background: CARD_TONES[tone].face }} aria-hidden="true" />
    {name}
  </>
);

/** One of the twelve tones, each with its name in the colour that it is read with. */
export function TonePicks({ id, value, onChange, ...aria }: InputProps<Tone>): ReactNode {
  return (
    <div className="membercard-tones" role="radiogroup" aria-label="颜色" id={id} {...aria}>
      {cardTone.options.map((option) => (
        <label key={option.value} className="membercard-tone" style={paint(option.value)}>
          <input type="radio" name={id} checked={value === option.value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  );
}
/** Some of a few things that are all told at once. */
export function RightPicks({
  id,
  value = [],
  onChange,
  among,
  ...aria
}: InputProps<CardRight[]> & { among: readonly CardRight[] }): ReactNode {
  return (
    <div className="membercard-checks" role="group" aria-label="授权" id={id} {...aria}>
      {cardRight.options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            disabled={!among.includes(option.value)}
            checked={value.includes(option.value)}
            onChange={(event) => onChange(event.target.checked ? [...value, option.value] : value.filter((one) => one !== option.value))}
          />
          {option.label}
          {!among.includes(option.value) && <span className="note">服务商没有给您</span>}
        </label>
      ))}
    </div>
  );
}
/** Several of what the server told. */
export function PickSome({
  value,
  onChange,
  of,
  ...rest
}: InputProps<string[]> & { of: readonly { readonly id: string; readonly name: string }[] }): ReactNode {
  return (
    <Select
      {...rest}
      mode="multiple"
      className="pick"
      allowClear
      placeholder="请选择"
      showSearch={{ optionFilterProp: "label" }}
      maxTagCount={20}
      options={of.map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? []}
      onChange={(ids: string[]) => onChange(ids)}
    />
  );
}
/** Sends a picture of a face. @returns its address; what went wrong was said already */
export const uploadCardPicture = (base64: string): Promise<string | undefined> =>
  call(addCardPicture, { base64 }).then(
    ({ url }) => url,
    () => undefined,
  );
