import type { ReactNode } from "react";
import { sayChance } from "../contract/index.ts";
import { colourAt } from "./lottery-words.ts";

/** The whole table of chances as one bar that adds up to 100 %; what is left of it is 谢谢参与. */
export function ChanceBar({
  prizes,
  rest,
}: {
  prizes: readonly { readonly name: string; readonly chance: number }[];
  rest: number;
}): ReactNode {
  const said = [
    ...prizes.map(({ name, chance }, at) => `${name || `奖品 ${at + 1}`} ${sayChance(chance)}`),
    ...(rest > 0 ? [`谢谢参与 ${sayChance(rest)}`] : []),
  ];
  return (
    <div className="lottery-bar" role="img" aria-label={`机会：${said.join("，")}`}>
      {prizes.map(({ chance }, at) => (
        // A place in the table is what a prize is known by.
        // eslint-disable-next-line react/no-array-index-key
        <span key={at} style={{ flexGrow: Math.max(chance, 0), background: colourAt(at) }} />
      ))}
      <span style={{ flexGrow: Math.max(rest, 0) }} />
    </div>
  );
}
