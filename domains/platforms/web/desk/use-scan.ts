import { useRef, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { lookAtCoupon, useCouponAtDesk } from "../../../coupons/contract/index.ts";
import { listTimesUses, lookAtTimesCards, useTimesCardAtDesk } from "../../../vip/contract/index.ts";
import { type AttemptView, prepareVoucher, verifyVoucher } from "../../contract/index.ts";
import { VOUCHER_READS } from "./DeskForms.tsx";

/** What a code turned out to be: a platform's voucher, an own coupon, or a member's times cards. */
export type Looked =
  | { readonly what: "voucher"; readonly of: OutputOf<typeof prepareVoucher> }
  | { readonly what: "coupon"; readonly of: OutputOf<typeof lookAtCoupon> }
  | { readonly what: "times"; readonly of: OutputOf<typeof lookAtTimesCards> };
/** What became of something of the merchant's own. */
export interface OwnDone {
  readonly title: string;
  readonly note: string;
}
const QUIET = { quiet: true } as const;
const digitsOf = (scan: string): string => scan.replaceAll(/[\s-]/g, "");
/** A voucher at its platform; where none has it, it may be a card that the desk does not look at now. */
async function prepared(storeId: string, scan: string, shut?: ApiError): Promise<Looked> {
  const of = await call(prepareVoucher, { storeId, scan }, QUIET).catch((error: ApiError) => {
    throw shut ? new ApiError(error.kind, `${error.message}。${shut.message}`, error) : error;
  });
  return { what: "voucher", of };
}
/** 98 begins a coupon's code, 99 a member's; twelve digits may be a times card's number, and are a platform's where no card has it. */
async function look(storeId: string, scan: string, mayUseTimes: boolean): Promise<Looked> {
  const code = digitsOf(scan);
  if (/^98\d{18}$/.test(code)) return { what: "coupon", of: await call(lookAtCoupon, { storeId, code }, QUIET) };
  if (/^99\d{18}$/.test(code)) return { what: "times", of: await call(lookAtTimesCards, { storeId, code }, QUIET) };
  if (mayUseTimes && /^\d{12}$/.test(code)) {
    const of = await call(lookAtTimesCards, { storeId, code }, QUIET).catch((error: ApiError) => {
      if (error.code !== "times.none" && error.code !== "times.shut") throw error;
      return error;
    });
    if (!(of instanceof ApiError)) return { what: "times", of };
    if (of.code === "times.shut") return prepared(storeId, scan, of);
  }
  return prepared(storeId, scan);
}
/** What can be used of it here now, and is by Enter. */
export function usableOf(found: Looked | undefined, cardNo: string | undefined): boolean {
  if (found?.what === "coupon") return found.of.why === "" && found.of.alone;
  if (found?.what === "times") return cardNo !== undefined;
  return found !== undefined;
}

interface OwnWish {
  readonly requestId: string;
  readonly storeId: string;
  readonly code: string;
  readonly cardNo: string | undefined;
  readonly times: number;
  readonly pin: string;
}
/** Uses something of the merchant's own, by the door of its room. */
async function verifyOwn(
  of: Exclude<Looked, { what: "voucher" }>,
  { requestId, storeId, code, cardNo, times, pin }: OwnWish,
): Promise<OwnDone> {
  if (of.what === "coupon") {
    await call(useCouponAtDesk, { requestId, storeId, code }, QUIET);
    return { title: of.of.name, note: "不能撤销" };
  }
  const wish = { requestId, storeId, ticket: of.of.ticket, cardNo: cardNo!, times, ...(pin !== "" && { pin }) };
  const used = await call(useTimesCardAtDesk, wish, QUIET);
  return { title: `${used.name} ${used.times} 次`, note: `还剩 ${used.leftTimes} 次，24 小时内可撤销` };
}
/** A try that was refused is over: what is changed after it is another request. One whose answer was lost is the same again. */
const isOver = ({ status }: ApiError): boolean => status >= 400 && status < 500;

/** One call at a time, and why the last one failed. */
function useRunning() {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const run = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    await act().catch((error: ApiError) => setFault(navigator.onLine ? error.message : "没网不能核，请留顾客电话"));
    setBusy(false);
  };
  return { busy, fault, setFault, run };
}
/** How many of what was found, of which card, and what the customer typed for it. */
function useChoice() {
  const [count, setCount] = useState(1);
  const [cardNo, setCardNo] = useState<string>();
  const [pin, setPin] = useState("");
  return { count, setCount, cardNo, setCardNo, pin, setPin };
}
/** What became of what was used last. */
function useDone() {
  const [done, setDone] = useState<readonly AttemptView[]>([]);
  const [ownDone, setOwnDone] = useState<OwnDone>();
  const forget = (): void => {
    setDone([]);
    setOwnDone(undefined);
  };
  return { done, setDone, ownDone, setOwnDone, forget };
}

/** What is being looked up or used, step by step. */
export function useScan(storeId: string) {
  const client = useQueryClient();
  const mayUseTimes = useAct(lookAtTimesCards);
  const [text, setText] = useState("");
  const { busy, fault, setFault, run } = useRunning();
  const [found, setFound] = useState<Looked>();
  const { count, setCount, cardNo, setCardNo, pin, setPin } = useChoice();
  const { done, setDone, ownDone, setOwnDone, forget } = useDone();
  const request = useRef<string>(undefined);
  /** What stands in the field now, and whether Enter was pressed for it while another was looked up. */
  const field = useRef({ text: "", pressed: false });
  const type = (next: string): void => {
    field.current = { text: next, pressed: false };
    setText(next);
    setFault(undefined);
    setFound(undefined);
    setPin("");
  };
  const lookUp = () =>
    run(async () => {
      forget();
      // An answer about what is no longer in the field is nobody's: what was scanned after it is looked up instead.
      for (;;) {
        const scan = field.current.text;
        const seen = await look(storeId, scan, mayUseTimes).catch((error: ApiError) => {
          if (scan === field.current.text) throw error;
        });
        if (scan === field.current.text && seen) {
          request.current = crypto.randomUUID();
          setCount(1);
          setCardNo(seen.what === "times" ? seen.of.cards.find(({ why }) => why === "")?.cardNo : undefined);
          setFound(seen);
          return;
        }
        if (!field.current.pressed) return;
        field.current.pressed = false;
      }
    });
  const again = (error: ApiError): never => {
    if (isOver(error)) request.current = crypto.randomUUID();
    throw error;
  };
  const verify = (of: Looked) =>
    run(async () => {
      // The same number until an answer came: a second press makes no second call.
      const [scan, requestId] = [field.current.text, request.current!];
      const attempts = of.what === "voucher" ? await call(verifyVoucher, { requestId, storeId, ticket: of.of.ticket, count }, QUIET) : [];
      const wish = { requestId, storeId, code: digitsOf(scan), cardNo, times: count, pin };
      const own = of.what === "voucher" ? undefined : await verifyOwn(of, wish).catch(again);
      if (scan === field.current.text) type("");
      setDone(attempts);
      setOwnDone(own);
      for (const { path } of [...VOUCHER_READS, listTimesUses]) void client.invalidateQueries({ queryKey: [path] });
    });
  const go = (): void => {
    if (busy) field.current.pressed = field.current.text.trim() !== "";
    else if (found) {
      if (usableOf(found, cardNo)) void verify(found);
    } else if (text.trim() !== "") void lookUp();
  };
  /** A code that the camera read is looked up, and never used by it. */
  const take = (scan: string): void => {
    type(scan);
    if (busy) field.current.pressed = true;
    else void lookUp();
  };
  const clear = (): void => {
    type("");
    forget();
  };
  return { text, type, fault, found, count, setCount, cardNo, setCardNo, pin, setPin, done, ownDone, busy, go, take, clear };
}
