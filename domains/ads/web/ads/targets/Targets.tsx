import type { ReactNode } from "react";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { itemType, type ItemType } from "../../../../level-config/contract/index.ts";
import { ConfigTree, type TreeRow } from "../../../../level-config/web/index.ts";
import { adConfigCalls } from "../../../contract/index.ts";

/** A target with its name, which is shown and not sent. */
export interface TargetGiven {
  readonly item_type: number;
  readonly item_id: string;
  readonly item_name?: string;
}

/** 投放范围: the tree level by level, ticked; what is chosen stands above it. */
export function Targets({
  id,
  value,
  onChange,
}: {
  id: string;
  value: readonly TargetGiven[];
  onChange: (targets: TargetGiven[] | undefined) => void;
}): ReactNode {
  const tick = ({ item_type, item_id, item_name }: TreeRow): void =>
    onChange(
      value.some((one) => one.item_id === item_id)
        ? value.filter((one) => one.item_id !== item_id)
        : [...value, { item_type: item_type as number, item_id, item_name }],
    );
  return (
    <div id={id} role="group" aria-label="投放范围">
      {value.length > 0 && (
        <ul className="ad-chips">
          {value.map((one) => (
            <li key={one.item_id} className="chip">
              {levelWords(itemType.label(one.item_type as ItemType))} {one.item_name ?? ""}
              <button
                type="button"
                aria-label={`移除 ${one.item_name ?? "节点"}`}
                onClick={() => onChange(value.filter((other) => other.item_id !== one.item_id))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="ad-target-pick">
        <ConfigTree
          calls={adConfigCalls}
          chosen={undefined}
          onChoose={tick}
          ticked={new Map(value.map((one) => [one.item_id, one]))}
          onTick={tick}
          plain
        />
      </div>
    </div>
  );
}
