import { bag, refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import type { Batch, BatchCode, State } from "../state.ts";

/** A batch of the merchant who asks. */
export function batchOf({ state, merchant }: Desk, kind: Batch["kind"], stockId: string): Batch | Reply {
  const found = state.batches.get(stockId);
  return found?.kind === kind && found.mchId === merchant.mchId ? found : refuse(404, "RESOURCE_NOT_EXISTS", "批次不存在");
}
/** The batch that a request number has made already; a refusal where it was asked for something else. */
export function madeBefore({ state, merchant }: Desk, kind: Batch["kind"], body: Bag): Batch | Reply | undefined {
  const number = text(body["out_request_no"]);
  const found = [...state.batches.values()].find((one) => one.kind === kind && one.mchId === merchant.mchId && one.outRequestNo === number);
  if (!found || JSON.stringify(found.given) === JSON.stringify(body)) return found;
  return refuse(400, "INVALID_REQUEST", "商户请求单号已使用，参数与首次请求时不一致");
}
export const isReply = (one: object): one is Reply => "status" in one && typeof one.status === "number";
export const codeKey = (stockId: string, code: string): string => `${stockId}/${code}`;
export const within = (given: unknown, least: number, most: number): given is number =>
  typeof given === "number" && Number.isSafeInteger(given) && given >= least && given <= most;
/** How many milliseconds a batch lasts; undefined where its times are none. */
export function lasts(from: unknown, to: unknown): number | undefined {
  const [a, b] = [Date.parse(text(from)), Date.parse(text(to))];
  return Number.isNaN(a) || Number.isNaN(b) || b <= a ? undefined : b - a;
}

/** What the control API tells of a batch and its codes, by any number that belongs to it. */
export function showCoupons({ state }: { readonly state: State }, url: URL): object {
  const asked = url.searchParams.get("stockId");
  const batches = [...state.batches.values()].filter((one) => asked === null || one.stockId === asked);
  return { batches, codes: [...state.codes.values()].filter(({ stockId }) => batches.some((one) => one.stockId === stockId)) };
}
/** Changes a batch or a code behind the merchant's back. @returns undefined where there is none */
export function changeCoupons({ state }: { readonly state: State }, given: Bag): object | undefined {
  const batch = state.batches.get(text(given["stockId"]));
  if (!batch) return undefined;
  const code = text(given["code"]);
  if (code === "") {
    const { state: to = batch.state, total = batch.total, sent = batch.sent } = bag(given) as Partial<Batch>;
    state.save("batch", { ...batch, state: to, total, sent });
    return { stockId: batch.stockId };
  }
  const known = state.codes.get(codeKey(batch.stockId, code));
  if (!known) return undefined;
  state.save("code", { ...known, state: text(given["state"]) as BatchCode["state"], lastNo: null });
  return { stockId: batch.stockId, code };
}
