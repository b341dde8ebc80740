import { expect, test } from "vitest";
import { type Applyment, lineOf, silenceWords, untilWords } from "./info-words.ts";

const at = (time: string): string => new Date(`2026-11-26T${time}:00+08:00`).toISOString();
const event = (state: string, time: string, round = 1, kind = "state") =>
  ({ id: `${state}${time}`, at: at(time), kind, state, round, said: "", rejected: [], byName: null, changes: [] }) as never;
/** The newest event first, as the server tells them. */
const one = (more: object): Applyment =>
  ({
    state: "AUDITING",
    stateAt: at("10:00"),
    sending: false,
    submittedAt: at("09:59"),
    byName: "张业务",
    rejected: [],
    subMchId: null,
    events: [event("AUDITING", "10:00"), event("EDITTING", "09:59", 1, "submitted")],
    ...more,
  }) as Applyment;
const shown = (of: Applyment): string[] => lineOf(of).map(({ label, how, note }) => `${label} ${how} ${note}`);

test("silence says since when, how often it is asked, and how old the state is", () => {
  expect(silenceWords({ silentAt: at("12:40"), heardAt: at("12:31"), everyS: 300 })).toBe(
    "微信 12:40 起查不到，每 5 分钟再问，状态是 12:31 的",
  );
  const before = new Date(Date.parse(at("23:50")) - 86_400_000).toISOString();
  expect(silenceWords({ silentAt: at("00:40"), heardAt: before, everyS: 7_200 })).toBe(
    "微信 11-26 00:40 起查不到，每 2 小时再问，状态是 11-25 23:50 的",
  );
  expect(silenceWords({ silentAt: at("12:40"), heardAt: null, everyS: 60 })).toContain("还没有得到过状态");
  expect(silenceWords({ silentAt: null, heardAt: at("12:31"), everyS: 0 })).toBeUndefined();
});

test("whole days that are left to verify and to sign; nothing for who waits for WeChat Pay", () => {
  const since = at("12:00");
  const after = (days: number) => Date.parse(since) + days * 86_400_000;
  expect(untilWords("TO_BE_CONFIRMED", since, after(0.5))).toBe("12-06 12:00 前没有验证，微信支付会驳回。还剩 9 天。");
  expect(untilWords("TO_BE_CONFIRMED", since, after(10) - 60_000)).toContain("还剩 0 天");
  expect(untilWords("TO_BE_CONFIRMED", since, after(11))).toContain("还剩 0 天");
  expect(untilWords("TO_BE_SIGNED", since, after(4))).toContain("还剩 26 天");
  expect(untilWords("AUDITING", since, after(1))).toBeUndefined();
});

test("each step with its time; a second round begins the line anew", () => {
  expect(shown(one({}))).toEqual([
    "提交 done 11-26 09:59 · 张业务",
    "审核 now 11-26 10:00 开始",
    "账户验证 ahead 要验证的才有",
    "签约 ahead 超级管理员扫码",
    "开通权限 ahead 通常 30 分钟",
    "完成 ahead 拿到子商户号",
  ]);
  const rejected = one({
    state: "REJECTED",
    stateAt: at("11:00"),
    rejected: [{}, {}],
    events: [event("REJECTED", "11:00"), event("AUDITING", "10:00"), event("EDITTING", "09:59", 1, "submitted")],
  });
  expect(shown(rejected)[1]).toBe("审核 bad 11-26 11:00 驳回 2 处");
  // Voided after it: it ended there, and nothing is promised any more.
  expect(shown({ ...rejected, state: "CANCELED" }).slice(1, 3)).toEqual(["审核 bad 11-26 11:00 驳回", "账户验证 ahead 没有走到"]);
  const signing = one({
    state: "TO_BE_SIGNED",
    stateAt: at("14:00"),
    events: [
      event("TO_BE_SIGNED", "14:00", 2),
      event("AUDITING", "13:00", 2),
      event("REJECTED", "12:59", 2, "submitted"),
      event("REJECTED", "11:00"),
      event("AUDITING", "10:00"),
      event("EDITTING", "09:59", 1, "submitted"),
    ],
  });
  expect(shown(signing).slice(1, 4)).toEqual(["审核 done 11-26 14:00", "账户验证 skipped 已过", "签约 now 11-26 14:00 开始"]);
  const finished = one({
    state: "FINISHED",
    stateAt: at("15:00"),
    subMchId: "1600001234",
    events: [
      event("FINISHED", "15:00"),
      event("TO_BE_SIGNED", "14:00"),
      event("AUDITING", "10:00"),
      event("EDITTING", "09:59", 1, "submitted"),
    ],
  });
  expect(shown(finished).slice(3)).toEqual(["签约 done 11-26 15:00", "开通权限 skipped 已过", "完成 done 11-26 15:00 · 1600001234"]);
  expect(shown(one({ state: "EDITTING", events: [event("EDITTING", "09:59", 1, "submitted")] }))[0]).toBe("提交 bad 没有收下");
});
