import { AutoComplete, type AutoCompleteProps } from "antd";
import type { ReactNode } from "react";
import { Antd } from "../look/Antd.tsx";

/** antd's field of words; screens take `Suggest`, which brings it when it is needed. */
export function AntdSuggest(props: AutoCompleteProps): ReactNode {
  return (
    <Antd>
      <AutoComplete {...props} />
    </Antd>
  );
}
