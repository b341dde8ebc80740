import { domain } from "@zhangfang/server/calls/domain.ts";
import { endCards } from "./cards/end-cards.ts";
import { addCardPictureRoute, getCardPictureRoute, purgeCardPictures } from "./cards/pictures.ts";
import { getCardRoute, listCardsRoute, summariseCardsRoute } from "./cards/read-cards.ts";
import { addCardRoute, moveCardRoute, setCardFaceRoute, setCardFormRoute } from "./cards/write-cards.ts";
import { giveCardOnJoining, openCardRoute } from "./holding/open-card.ts";
import { cardExport, holderExport, listHoldersRoute, summariseHoldersRoute } from "./holding/read-holders.ts";
import {
  addActivityRoute,
  getActivityRoute,
  listActivitiesRoute,
  moveActivityRoute,
  summariseActivitiesRoute,
  updateActivityRoute,
} from "./places/activities.ts";
import { getCardPlacesRoute, listCardAreasRoute, setCardPlacesRoute, summariseCardAreasRoute } from "./places/areas.ts";
import { addBindingRoute, getBindingRoute, listBindingsRoute, removeBindingRoute, summariseBindingsRoute } from "./places/bindings.ts";
import { getGrantRoute, listGrantsRoute, setGrantRoute, summariseGrantsRoute } from "./places/grants.ts";
import { verifyCards } from "./verify-cards.ts";
import { askWxReviews, sendWxCards, sendWxHolders, tellWxHolders } from "./wx/send-wx.ts";
import {
  createWxCardRoute,
  deleteWxCardRoute,
  getWxCardRoute,
  listWxCardsRoute,
  summariseWxCardsRoute,
  syncWxCardRoute,
} from "./wx/wx-cards.ts";

export { cardOf, giveCard, type Holding, type NewHolding } from "./holding/open-card.ts";
export { cardServesAt } from "./holding/serves.ts";
export { verifyCards } from "./verify-cards.ts";

export const memberCards = domain({
  routes: [
    listCardsRoute,
    summariseCardsRoute,
    listHoldersRoute,
    summariseHoldersRoute,
    getCardRoute,
    addCardRoute,
    setCardFaceRoute,
    setCardFormRoute,
    moveCardRoute,
    addCardPictureRoute,
    getCardPictureRoute,
    openCardRoute,
    listCardAreasRoute,
    summariseCardAreasRoute,
    getCardPlacesRoute,
    setCardPlacesRoute,
    listActivitiesRoute,
    summariseActivitiesRoute,
    getActivityRoute,
    addActivityRoute,
    updateActivityRoute,
    moveActivityRoute,
    listBindingsRoute,
    getBindingRoute,
    summariseBindingsRoute,
    addBindingRoute,
    removeBindingRoute,
    listGrantsRoute,
    getGrantRoute,
    summariseGrantsRoute,
    setGrantRoute,
    listWxCardsRoute,
    summariseWxCardsRoute,
    getWxCardRoute,
    createWxCardRoute,
    syncWxCardRoute,
    deleteWxCardRoute,
  ],
  jobs: [endCards, purgeCardPictures, tellWxHolders, sendWxCards, askWxReviews, sendWxHolders],
  exports: [cardExport, holderExport],
  memberFacts: { joined: giveCardOnJoining },
  verify: { name: "member cards", run: verifyCards },
});
