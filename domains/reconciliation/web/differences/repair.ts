import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { success, warning } from "@zhangfang/web/notify.ts";
import { repairDifferences } from "../../contract/index.ts";

/** Asks the channel about differences and says what came of it. @returns whether all of them fit now */
export async function repair(ids: readonly string[]): Promise<boolean> {
  try {
    const { left, message } = await call(repairDifferences, { ids: [...ids] });
    (left === 0 ? success : warning)(message);
    return left === 0;
  } catch (failure) {
    // A refused call has said why.
    if (!(failure instanceof ApiError)) throw failure;
    return false;
  }
}
