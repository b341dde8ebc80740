import type { ReactNode } from "react";
import { ConfigScreen } from "../../../level-config/web/index.ts";
import {
  addAdConfigPicture,
  getAdConfig,
  getAdConfigKey,
  getAdConfigTree,
  listAdConfigChanges,
  previewAdConfig,
  undoAdConfig,
  updateAdConfig,
} from "../../contract/index.ts";

const calls = {
  tree: getAdConfigTree,
  keys: getAdConfigKey,
  get: getAdConfig,
  update: updateAdConfig,
  preview: previewAdConfig,
  history: listAdConfigChanges,
  undo: undoAdConfig,
  picture: addAdConfigPicture,
};
/** 广告配置: set once at the right level how ads play. */
export function AdConfig(): ReactNode {
  return <ConfigScreen title="广告配置" calls={calls} />;
}
