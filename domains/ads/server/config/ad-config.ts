import { configRoutes } from "../../../level-config/server/index.ts";
import {
  addAdConfigPicture,
  AD_KEYS,
  getAdConfig,
  getAdConfigKey,
  getAdConfigTree,
  listAdConfigChanges,
  previewAdConfig,
  undoAdConfig,
  updateAdConfig,
} from "../../contract/index.ts";

/** 广告配置: the inherited configuration of ads. */
export const adConfigRoutes = configRoutes({
  namespace: "ad",
  keys: AD_KEYS,
  calls: {
    tree: getAdConfigTree,
    keys: getAdConfigKey,
    get: getAdConfig,
    update: updateAdConfig,
    preview: previewAdConfig,
    history: listAdConfigChanges,
    undo: undoAdConfig,
    picture: addAdConfigPicture,
  },
});
