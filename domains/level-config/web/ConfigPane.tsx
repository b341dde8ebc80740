import type { ReactNode } from "react";
import type { Known } from "./KeyRow.tsx";
import { KeyRow } from "./KeyRow.tsx";
import type { ConfigKey, ConfigValue } from "../contract/index.ts";

/** What is to be saved, by key. */
export type Edits = ReadonlyMap<string, ConfigValue | null>;

/** The keys of one node, or of several at once, in their groups. */
export function ConfigPane({
  keys,
  known,
  edits,
  onEdit,
  upload,
}: {
  keys: readonly ConfigKey[];
  /** What holds for each key at the one node; undefined where several are set. */
  known: ReadonlyMap<string, Known> | undefined;
  edits: Edits;
  onEdit: (edits: Edits) => void;
  upload: (base64: string) => Promise<string | undefined>;
}): ReactNode {
  const groups = [...new Set(keys.map(({ group }) => group))];
  const set = (ckey: string, value: ConfigValue | null | undefined): void => {
    const next = new Map(edits);
    const now = known?.get(ckey);
    // What is as it was is no change; a value of its own that equals the inherited one is.
    if (value === undefined || (now && now.own !== null && value === now.own)) next.delete(ckey);
    else next.set(ckey, value);
    onEdit(next);
  };
  return (
    <>
      {groups.map((name) => (
        <section key={name} className="key-group">
          <h2>{name}</h2>
          {keys.map(
            (key) =>
              key.group === name && (
                <KeyRow
                  key={key.ckey}
                  of={key}
                  known={known?.get(key.ckey)}
                  edit={edits.get(key.ckey)}
                  onEdit={(value) => set(key.ckey, value)}
                  upload={upload}
                />
              ),
          )}
        </section>
      ))}
    </>
  );
}
