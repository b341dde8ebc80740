import type { ReactNode } from "react";
import { ConfigScreen } from "../../../level-config/web/index.ts";
import { adConfigCalls } from "../../contract/index.ts";

/** 广告配置: set once at the right level how ads play. */
export const AdConfig = (): ReactNode => <ConfigScreen title="广告配置" calls={adConfigCalls} />;
