import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "./icons.tsx";

const SHOWN_MS = 30_000;

/**
 * A phone or certificate number that the server masks. Where the person may see it whole, the server is asked
 * (and writes that down), and it is masked again after 30 seconds.
 * @param props.reveal asks the server; leave it out where nobody may
 * @example <Masked text={member.phone} reveal={async () => (await call(revealPhone, { id: member.id })).phone} />
 */
export function Masked({
  text,
  reveal,
  name = "完整号码",
}: {
  text: string | null | undefined;
  reveal?: (() => Promise<string>) | undefined;
  name?: string;
}): ReactNode {
  const [whole, setWhole] = useState<string>();
  useEffect(() => {
    if (whole === undefined) return;
    const timer = setTimeout(() => setWhole(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [whole]);
  if (!text) return <span className="blank">—</span>;
  return (
    <span className="masked">
      <span className="num">{whole ?? text}</span>
      {reveal && (
        // A refusal has already said why.
        <button
          type="button"
          className="icon-button"
          aria-label={whole === undefined ? `查看${name}` : `隐藏${name}`}
          aria-pressed={whole !== undefined}
          onClick={() => (whole === undefined ? void reveal().then(setWhole, () => undefined) : setWhole(undefined))}
        >
          <Icon name="eye" size={14} />
        </button>
      )}
    </span>
  );
}
