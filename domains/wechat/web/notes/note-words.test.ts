import { expect, test } from "vitest";
import { standing } from "./note-words.ts";

const batch = { state: "failed", reason: "", confirmBy: null, replaced: false } as const;
const note = { state: "failed", paused: false, why: "", startsAt: null } as const;

test("why WeChat refused stands at the note itself, each reason once, and none of a batch that went again", () => {
  const reason = "还没有同意群发协议（48003）";
  const batches = [
    { ...batch, reason },
    { ...batch, reason },
    { ...batch, reason: "旧的", replaced: true },
  ];
  expect(standing({ ...note, batches })).toBe(reason);
  expect(standing({ ...note, why: "公众号已停用", batches })).toBe("公众号已停用");
  expect(standing({ ...note, state: "sent", batches: [{ ...batch, state: "sent" }] })).toBe("");
});
test("a batch that is asked for again says why", () => {
  const asked = { ...batch, state: "asked" as const };
  expect(standing({ ...note, state: "sending", batches: [{ ...asked, reason: "同一批重试太快（45066）" }] })).toContain(
    "有一批：同一批重试太快",
  );
  expect(standing({ ...note, state: "sending", batches: [asked] })).toContain("还不知道微信收到没有");
});
test("the admin's time is said while it lasts, and no longer", () => {
  const accepted = { ...batch, state: "accepted" as const };
  const confirming = { ...note, state: "confirming" as const };
  const waits = standing({ ...confirming, batches: [accepted, { ...accepted, confirmBy: "2026-11-12T04:30:00.000Z" as never }] });
  expect(waits).toContain("管理员要在 12:30 前到微信里确认");
  const past = standing({ ...confirming, batches: [accepted] });
  expect(past).toBe("微信已收下。管理员确认的 30 分钟已过，正在问微信结果");
});
