import { type MouseEvent, type ReactNode, useState } from "react";
import { copyText } from "../copy.ts";
import { Icon } from "./icons.tsx";

/**
 * A number that people paste elsewhere, with an icon that copies it. The icon appears on hover and focus.
 * @example <Copy text={row.orderNo} />
 */
export function Copy({ text, children }: { text: string; children?: ReactNode }): ReactNode {
  const [done, setDone] = useState(false);
  const copy = (event: MouseEvent): void => {
    event.stopPropagation();
    void copyText(text).then((copied) => {
      if (!copied) return;
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    });
  };
  return (
    <span className="copy">
      <span className="num">{children ?? text}</span>
      <button type="button" className="copy-button" aria-label={done ? "已复制" : `复制 ${text}`} onClick={copy}>
        <Icon name={done ? "check" : "copy"} size={14} />
      </button>
    </span>
  );
}

/**
 * What somebody else's code means, and small behind it the code, to be copied for whoever has to be asked.
 * @example <Coded words="退款异常" code="ABNORMAL" />
 */
export const Coded = ({ words, code }: { words: string; code: string }): ReactNode => (
  <>
    {words}{" "}
    <Copy text={code}>
      <small className="note">{code}</small>
    </Copy>
  </>
);
