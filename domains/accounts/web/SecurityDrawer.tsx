import type { ReactNode } from "react";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { getSecurity } from "../contract/index.ts";
import { Devices } from "./Devices.tsx";
import { OwnPassword } from "./OwnPassword.tsx";
import { Totp } from "./Totp.tsx";
import "./security.css";

/** 安全设置: the second factor, where one is signed in, and the password; each its own, none waits for another. */
export function SecurityDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const security = useDetail(getSecurity, {});
  return (
    <Drawer title="安全设置" onClose={onClose}>
      <div className="security">
        <Loaded of={security}>{(data) => <Totp security={data} />}</Loaded>
        <Devices />
        <OwnPassword />
      </div>
    </Drawer>
  );
}
