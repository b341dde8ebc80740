import type { ReactNode } from "react";
import type { Labelled, Tone } from "@zhangfang/contract/labelled.ts";
import { levelWords } from "../level-names.ts";

/**
 * A code with its Chinese label; one colour for one meaning: 进行中 blue, 成功 green, 注意 ochre, 失败 red, 终止 grey.
 * @example <StatusTag of={orderStatus} code={row.status} />
 */
export function StatusTag<K extends string | number>({ of, code }: { of: Labelled<K>; code: K | null | undefined }): ReactNode {
  if (code === null || code === undefined) return <span className="blank">—</span>;
  return <Tag tone={of.tone(code)}>{levelWords(of.label(code))}</Tag>;
}

/** A tinted word, for what has no labelled set. @example <Tag tone="warn">离线</Tag> */
export function Tag({ tone = "ended", children }: { tone?: Tone; children: ReactNode }): ReactNode {
  return <span className={`tag tag-${tone}`}>{children}</span>;
}
