import type { ReactNode } from "react";
import "./comments.css";

/** So many stars of five; read as words. */
export const Stars = ({ of }: { of: number }): ReactNode => (
  <span className="stars-shown" role="img" aria-label={`${of} 星`}>
    {"★★★★★".slice(0, of)}
    <span className="stars-off">{"★★★★★".slice(of)}</span>
  </span>
);
/** An average in hundredths of a star as people read it. @example averageText(433) // 4.33 */
export const averageText = (hundredths: number | null): string => (hundredths === null ? "—" : (hundredths / 100).toFixed(2));
