import { AutoComplete, type AutoCompleteProps } from "antd";
import type { ReactNode } from "react";
import { Antd } from "../look/Antd.tsx";

/** Words to write or to take from what was written before. @example <Suggest id={f.id} options={…} value={f.value} onChange={f.onChange} /> */
export function Suggest(props: AutoCompleteProps): ReactNode {
  return (
    <Antd>
      <AutoComplete {...props} />
    </Antd>
  );
}
