import { Select, type SelectProps } from "antd";
import type { ReactNode } from "react";
import { Antd } from "../look/Antd.tsx";

/** antd's select; screens take `Select`, which brings it when it is needed. */
export function AntdSelect<V>(props: SelectProps<V>): ReactNode {
  return (
    <Antd>
      <Select<V> {...props} />
    </Antd>
  );
}
