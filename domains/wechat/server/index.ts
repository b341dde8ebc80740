import { domain } from "@zhangfang/server/calls/domain.ts";
import {
  addWxAppRoute,
  getWxAppKeysRoute,
  getWxAppRoute,
  listWxAppsRoute,
  renewWxAppKeysRoute,
  setWxAppSecretRoute,
  testWxAppRoute,
  updateWxAppRoute,
} from "./apps/wx-apps.ts";
import { authoriseWxAppRoute, takeWxAuthorisationRoute, unauthoriseWxAppRoute } from "./component/authorise.ts";
import {
  getWxComponentKeysRoute,
  getWxComponentRoute,
  renewWxComponentKeysRoute,
  saveWxComponentRoute,
  testWxComponentRoute,
} from "./component/component-settings.ts";
import { hearAuthorisedAppRoute, hearWxComponentRoute } from "./component/hear-component.ts";
import { refreshGranted } from "./component/refresh-granted.ts";
import { lookAfterAuthorisations, takeAuthorisation } from "./component/take-authorisation.ts";
import { purgeWechatCalls } from "./calls/purge-calls.ts";
import { checkWechatAddressRoute, hearWechatRoute } from "./callback/hear-wechat.ts";
import {
  addFanChannelsRoute,
  getFanChannelRoute,
  listFanChannelsRoute,
  makeFanChannelRoute,
  makeFanCode,
} from "./channels/channel-routes.ts";
import { fanFigureExport, getFanFiguresRoute } from "./figures/fan-figures.ts";
import { listFollowsRoute } from "./figures/read-follows.ts";
import { fanExport, getFanEventsRoute, getFanRoute, listFansRoute } from "./list/read-fans.ts";
import { verifyNotes } from "./notes/verify-notes.ts";
import { verifyFans } from "./verify-fans.ts";
import { getFanSyncRoute, startFanSyncRoute, syncFans, syncFansNightly } from "./sync/sync-fans.ts";
import { goOnTaking } from "./sync/take-list.ts";
import { getMenuRoute, publishMenuRoute, readMenuRoute, saveMenuRoute } from "./menus/menu-routes.ts";
import { settleMenus } from "./menus/settle-menus.ts";
import { askMassResults, settleMass } from "./notes/mass-results.ts";
import { purgeNoteLists } from "./notes/note-lists.ts";
import { addNotePictureRoute, getNotePictureRoute, purgeNotePictures } from "./notes/pictures.ts";
import { deleteNoteRoute, previewNoteRoute } from "./notes/preview-note.ts";
import {
  getNoteRoute,
  getNoteSpreadRoute,
  listNoteAppsRoute,
  listNotesRoute,
  noteExport,
  seekNoteChannelsRoute,
} from "./notes/read-notes.ts";
import { closeNote, holdBackNotes, lookAfterNotes, runNote } from "./notes/run-note.ts";
import {
  addNoteRoute,
  cancelNoteRoute,
  copyNoteRoute,
  decideNoteRoute,
  handNoteRoute,
  steerNoteRoute,
  updateNoteRoute,
  withdrawNoteRoute,
} from "./notes/write-notes.ts";
import { wechatTodos } from "./todos.ts";

export { callWechat, type WechatApp } from "./calls/call-wechat.ts";
export { giveWechat } from "./calls/send-wechat.ts";
export { verifyFans } from "./verify-fans.ts";
// For the demo: WeChat's side is told of a component as a person would type it there; and a past that nobody told.
export { componentOf } from "./calls/call-component.ts";
export { nameFan, takeFanEvent } from "./fans/take-event.ts";
export { openFan } from "./fans/open-fan.ts";
export type { FanFacts } from "./fans/fan-facts.ts";

export { openNoteLink } from "./notes/note-link.ts";

export const wechat = domain({
  routes: [
    listWxAppsRoute,
    getWxAppRoute,
    getWxAppKeysRoute,
    addWxAppRoute,
    updateWxAppRoute,
    renewWxAppKeysRoute,
    setWxAppSecretRoute,
    testWxAppRoute,
    authoriseWxAppRoute,
    takeWxAuthorisationRoute,
    unauthoriseWxAppRoute,
    getWxComponentRoute,
    getWxComponentKeysRoute,
    saveWxComponentRoute,
    renewWxComponentKeysRoute,
    testWxComponentRoute,
    hearWxComponentRoute,
    hearAuthorisedAppRoute,
    startFanSyncRoute,
    getFanSyncRoute,
    listFansRoute,
    getFanRoute,
    getFanEventsRoute,
    listFanChannelsRoute,
    getFanChannelRoute,
    addFanChannelsRoute,
    makeFanChannelRoute,
    getFanFiguresRoute,
    listFollowsRoute,
    checkWechatAddressRoute,
    hearWechatRoute,
    listNotesRoute,
    getNoteRoute,
    listNoteAppsRoute,
    seekNoteChannelsRoute,
    getNoteSpreadRoute,
    addNoteRoute,
    updateNoteRoute,
    handNoteRoute,
    withdrawNoteRoute,
    cancelNoteRoute,
    copyNoteRoute,
    decideNoteRoute,
    steerNoteRoute,
    previewNoteRoute,
    deleteNoteRoute,
    addNotePictureRoute,
    getNotePictureRoute,
    getMenuRoute,
    saveMenuRoute,
    readMenuRoute,
    publishMenuRoute,
  ],
  jobs: [
    syncFans,
    syncFansNightly,
    goOnTaking,
    makeFanCode,
    runNote,
    closeNote,
    lookAfterNotes,
    settleMass,
    askMassResults,
    purgeNotePictures,
    purgeNoteLists,
    settleMenus,
    purgeWechatCalls,
    takeAuthorisation,
    lookAfterAuthorisations,
    refreshGranted,
  ],
  exports: [fanExport, fanFigureExport, noteExport],
  verify: { name: "wechat", run: async (tx, now_ms) => [...(await verifyFans(tx)), ...(await verifyNotes(tx, now_ms))] },
  holdBack: holdBackNotes,
  todos: wechatTodos,
});
