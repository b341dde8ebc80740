import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { addPicture } from "../contract/index.ts";

/** Uploads a picture for a provider. @returns its address, or undefined where the call has already said why not */
export const uploadFor = (serviceProviderId: string) => async (base64: string) =>
  call(addPicture, { serviceProviderId, base64 }).then(
    ({ url }) => url,
    (failure: unknown) => {
      if (!(failure instanceof ApiError)) throw failure;
      return undefined;
    },
  );
