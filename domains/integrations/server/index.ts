import { domain } from "@zhangfang/server/calls/domain.ts";
import { getPushDeliveryRoute, listPushDeliveriesRoute } from "./deliveries/read-deliveries.ts";
import { replayFailedPushesRoute, replayPushDeliveryRoute } from "./deliveries/replay.ts";
import { getPushEndpointRoute, listPushEndpointsRoute } from "./endpoints/read-endpoints.ts";
import { checkPushSignatureRoute, rotatePushSecretRoute, takePushSecretRoute } from "./endpoints/secrets.ts";
import { testPushEndpointRoute } from "./endpoints/test-endpoint.ts";
import { addPushEndpointRoute, holdBackPushes, steerPushEndpointRoute, updatePushEndpointRoute } from "./endpoints/write-endpoints.ts";
import { purgePushes } from "./send/purge-pushes.ts";
import { sendPushes } from "./send/send-pushes.ts";
import { verifyPushes } from "./verify-pushes.ts";
import { pushTodos } from "./todos.ts";

export { givePushDoor, openPushDoor } from "./push-door.ts";

export const integrations = domain({
  routes: [
    listPushEndpointsRoute,
    getPushEndpointRoute,
    addPushEndpointRoute,
    updatePushEndpointRoute,
    steerPushEndpointRoute,
    takePushSecretRoute,
    rotatePushSecretRoute,
    testPushEndpointRoute,
    checkPushSignatureRoute,
    listPushDeliveriesRoute,
    getPushDeliveryRoute,
    replayPushDeliveryRoute,
    replayFailedPushesRoute,
  ],
  jobs: [sendPushes, purgePushes],
  verify: { name: "pushes", run: verifyPushes },
  holdBack: holdBackPushes,
  todos: pushTodos,
});
