import type { Route } from "@zhangfang/server/calls/call.ts";
import { domain } from "@zhangfang/server/calls/domain.ts";
import { addPicture, purgeConfigPictures, getConfigPictureRoute } from "./config-pictures.ts";
import { listChanges } from "./saves/list-changes.ts";
import { previewSave } from "./saves/preview-save.ts";
import { readConfig, readKeys } from "./read-config.ts";
import type { Namespace } from "./namespace.ts";
import { readTree } from "./read-tree.ts";
import { saveConfig, undoSave } from "./saves/save-config.ts";

export { configOfDevice, type DevicePlace, valuesOfKey } from "./config-of-device.ts";
export { deviceMoved } from "./device-moved.ts";
export { nodesOf, type TreeNode } from "./nodes.ts";
export type { Namespace } from "./namespace.ts";
export { bumpVersions, versionsFor, waitForSave } from "./watch-versions.ts";

/** The routes of one inherited configuration: its keys, its calls, its rows. */
export const configRoutes = (of: Namespace): Route[] => [
  readTree(of),
  readKeys(of),
  readConfig(of),
  saveConfig(of),
  previewSave(of),
  listChanges(of),
  undoSave(of),
  addPicture(of),
];

export const levelConfig = domain({ routes: [getConfigPictureRoute], jobs: [purgeConfigPictures] });
