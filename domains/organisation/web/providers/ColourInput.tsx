import type { ReactNode } from "react";
import { accentContrast, accentShades, ACCENT_GROUNDS, type AccentTheme } from "@zhangfang/contract/colour.ts";
import type { InputProps } from "@zhangfang/web/form/Field.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";

const FIRST: Readonly<Record<AccentTheme, string>> = { light: "#2B57C4", dark: "#8FAAF5" };

/** A colour by its picker or its hex, with how it looks on the theme it is for. */
export function ColourInput({
  theme,
  value,
  onChange,
  id,
  ...aria
}: Omit<InputProps<string | null>, "onChange"> & { theme: AccentTheme; onChange: (colour: string | null | undefined) => void }): ReactNode {
  const whole = value && /^#[0-9A-Fa-f]{6}$/.test(value) ? value.toUpperCase() : undefined;
  const set = (given: string | undefined): void => onChange(given ? given.toUpperCase() : null);
  return (
    <div className="colour-input">
      <input type="color" aria-label="取色" value={whole ?? FIRST[theme]} onChange={(event) => set(event.target.value)} />
      <TextInput id={id} value={value ?? undefined} {...aria} onChange={set} placeholder="默认" maxLength={7} className="input num" />
      {whole && <Sample colour={whole} theme={theme} />}
      {value && (
        <Button small tone="quiet" onClick={() => onChange(null)}>
          恢复默认
        </Button>
      )}
    </div>
  );
}

/** The colour as it will stand: a link on the ground, and what is chosen. */
function Sample({ colour, theme }: { colour: string; theme: AccentTheme }): ReactNode {
  const shades = accentShades(colour, theme);
  return (
    <span className="colour-sample" aria-hidden="true" style={{ background: ACCENT_GROUNDS[theme].container, color: colour }}>
      <span>链接</span>
      <span style={{ background: shades.colorPrimaryBg }}>选中</span>
      <span className="num">{accentContrast(colour, theme).toFixed(1)}</span>
    </span>
  );
}
