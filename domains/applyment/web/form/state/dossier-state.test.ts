import { describe, expect, test } from "vitest";
import { doctor } from "../../../contract/rules/doctor.ts";
import { INDIVIDUAL, TODAY } from "../../../contract/rules/dossiers-for-tests.ts";
import type { Dossier } from "../../../contract/words.ts";
import { maskOf } from "../../../contract/words.ts";
import {
  added,
  changesOf,
  type DossierState,
  EMPTY,
  heard,
  keepMine,
  keptNow,
  left,
  maskedOf,
  refusedAt,
  shownOf,
  takeTheirs,
  wrote,
} from "./dossier-state.ts";
import { liveFindings } from "./live-findings.ts";
import { hindrance, nextStop, standingOf, stopsOf } from "./standing.ts";

const told = (values: Dossier, versions: Record<string, number> = {}, writers: Record<string, string> = {}) =>
  ({ values, versions, writers, findings: [] }) as never;
const begin = (values: Dossier = {}, versions: Record<string, number> = {}): DossierState => heard(EMPTY, told(values, versions));

describe("two people in one dossier", () => {
  test("what somebody else wrote meanwhile is shown with their name, and what was typed here stays", () => {
    const mine = wrote(begin({ "store.name": "老店" }, { "store.name": 1 }), "store.name", "我写的店");
    const now = heard(mine, told({ "store.name": "他写的店" }, { "store.name": 2 }, { "store.name": "陈志强" }));
    expect(shownOf(now)["store.name"]).toBe("我写的店");
    expect(now.conflicts).toEqual({ "store.name": { theirs: "他写的店", byName: "陈志强" } });
    // Nothing goes out before somebody has chosen.
    expect(changesOf(now)).toEqual([]);
    expect(changesOf(keepMine(now, "store.name"))).toEqual([{ path: "store.name", value: "我写的店", version: 2 }]);
    expect(shownOf(takeTheirs(now, "store.name"))["store.name"]).toBe("他写的店");
    expect(changesOf(takeTheirs(now, "store.name"))).toEqual([]);
  });
  test("the same words of two people are no conflict, and other fields go through", () => {
    let mine = wrote(begin(), "store.name", "蜀味川菜馆");
    mine = wrote(mine, "store.address", "春熙路 1 号");
    const now = heard(mine, told({ "store.name": "蜀味川菜馆" }, { "store.name": 1 }, { "store.name": "陈志强" }));
    expect(now.conflicts).toEqual({});
    expect(changesOf(now)).toEqual([{ path: "store.address", value: "春熙路 1 号", version: 0 }]);
  });
  test("an answer that was asked for before the last save changes nothing", () => {
    const changes = changesOf(wrote(begin(), "store.name", "新店"));
    const saved = keptNow(wrote(begin(), "store.name", "新店"), changes);
    expect(shownOf(heard(saved, told({}, {})))["store.name"]).toBe("新店");
  });
});

describe("keeping", () => {
  test("a picture that arrives after the first was kept comes after it", () => {
    const first = added(begin(), "store.entrance", "a");
    const saved = keptNow(first, changesOf(first));
    expect(changesOf(added(saved, "store.entrance", "b"))).toEqual([{ path: "store.entrance", value: ["a", "b"], version: 1 }]);
    // Both arrive before anything is kept.
    expect(shownOf(added(first, "store.entrance", "b"))["store.entrance"]).toEqual(["a", "b"]);
  });
  test("a conflict at one field keeps what is typed in all of them", () => {
    const mine = wrote(
      wrote(begin({ "store.name": "老店" }, { "store.name": 1 }), "store.name", "我写的店"),
      "store.address",
      "春熙路 1 号",
    );
    const now = heard(mine, told({ "store.name": "他写的店" }, { "store.name": 2 }));
    expect(shownOf(now)).toEqual({ "store.name": "我写的店", "store.address": "春熙路 1 号" });
    expect(changesOf(now)).toEqual([{ path: "store.address", value: "春熙路 1 号", version: 0 }]);
  });
  test("saving one field does not carry another over what was written there meanwhile", () => {
    const secret = wrote(begin({ "account.number": "****2738" }, { "account.number": 1 }), "account.number", "62220212345");
    const both = wrote(secret, "store.name", "新店");
    const changes = changesOf(both, "account.number");
    // The answer to the saving tells of somebody else's number too.
    const now = heard(
      keptNow(both, changes),
      told({ "account.number": "****0128", "store.name": "新店" }, { "account.number": 2, "store.name": 1 }),
    );
    expect(changesOf(now)).toEqual([]);
    expect(now.conflicts["account.number"]?.theirs).toBe("****0128");
    expect(changesOf(keepMine(now, "account.number"))).toEqual([{ path: "account.number", value: "62220212345", version: 2 }]);
  });
  test("what the server does not take waits at its field until it is written anew; what was written meanwhile does not", () => {
    const state = wrote(wrote(begin(), "store.name", "店"), "store.address", "路");
    const [bad] = changesOf(state);
    const now = refusedAt(state, bad!, "不能超过 512 个字");
    expect(now.typed["store.name"]?.refused).toBe("不能超过 512 个字");
    expect(changesOf(now).map(({ path }) => path)).toEqual(["store.address"]);
    expect(changesOf(wrote(now, "store.name", "新店")).map(({ path }) => path)).toContain("store.name");
    expect(changesOf(refusedAt(wrote(state, "store.name", "新店"), bad!, "不对"))).toHaveLength(2);
  });
  test("what is typed while a call is on its way goes over the version that it made", () => {
    const first = wrote(begin(), "store.name", "蜀");
    const changes = changesOf(first);
    const after = keptNow(wrote(first, "store.name", "蜀味"), changes);
    expect(changesOf(after)).toEqual([{ path: "store.name", value: "蜀味", version: 1 }]);
  });
  test("a secret is masked as soon as it is kept, waits while it is typed, and stays where it was opened and left empty", () => {
    const typing = wrote(begin(), "legal.idNumber", "510104198506123436");
    expect(changesOf(typing, "legal.idNumber")).toEqual([]);
    const changes = changesOf(typing);
    const kept = keptNow(typing, changes);
    expect(shownOf(kept)["legal.idNumber"]).toBe("****3436");
    expect(maskedOf(kept).has("legal.idNumber")).toBe(true);
    const opened = wrote(kept, "legal.idNumber", "");
    expect(changesOf(opened)).toEqual([]);
    expect(shownOf(left(opened, "legal.idNumber"))["legal.idNumber"]).toBe("****3436");
    // Begun and emptied: the same, and one that was never kept leaves nothing behind.
    expect(left(wrote(wrote(kept, "legal.idNumber", "5"), "legal.idNumber", ""), "legal.idNumber").typed).toEqual({});
    expect(left(wrote(wrote(begin(), "legal.idNumber", "5"), "legal.idNumber", ""), "legal.idNumber").typed).toEqual({});
  });
  test("typed back to what is kept is nothing to send", () => {
    const state = begin({ "store.name": "老店" }, { "store.name": 1 });
    expect(changesOf(wrote(wrote(state, "store.name", "新"), "store.name", "老店"))).toEqual([]);
  });
});

describe("体检 beside masks", () => {
  const masked: Dossier = Object.fromEntries(
    Object.entries(INDIVIDUAL).map(([path, value]) => [path, typeof value === "string" ? maskOf(path, value) : value]),
  );
  const look = (state: DossierState, server: Dossier) =>
    liveFindings({
      dossier: shownOf(state),
      masked: maskedOf(state),
      typed: new Set(Object.keys(state.typed)),
      server: doctor(server, { today: TODAY }),
      today: TODAY,
      micro: false,
    }).map(({ path, rule }) => `${path} ${rule}`);
  test("a mask is no error, and what the server found under it stays", () => {
    expect(look(begin(masked), INDIVIDUAL)).toEqual([]);
    expect(look(begin(masked), { ...INDIVIDUAL, "legal.idNumber": "510104198506123437" })).toEqual(["legal.idNumber id-number"]);
  });
  test("what is typed is looked at here, at once", () => {
    const typing = wrote(begin(masked), "legal.idNumber", "51010419850612343");
    expect(look(typing, INDIVIDUAL)).toEqual(["legal.idNumber id-number"]);
    // A name beside a masked name: nobody can compare them here.
    expect(look(wrote(begin(masked), "account.name", "王小明"), INDIVIDUAL)).toEqual([]);
    expect(look(wrote(begin(masked), "subject.type", "SUBJECT_TYPE_MICRO"), INDIVIDUAL)).toContain("subject.type micro-grant");
  });
});

describe("after a rejection", () => {
  const applyment = {
    id: "a",
    state: "REJECTED",
    sending: false,
    message: "",
    stateAt: "2026-11-23T02:12:00Z",
    rejected: [
      { paths: ["business.shortName"], name: "商户简称", reason: "不能只写行业词" },
      { paths: [], name: "其他", reason: "资料不全" },
    ],
    untouched: ["business.shortName"],
  };
  test("a reason stands at its field, one that names none stands above, and a changed field is not asked for again", () => {
    const standing = standingOf({ applyment } as never, []);
    expect([standing.readOnly, standing.silent, standing.elsewhere, standing.untouched]).toEqual([
      false,
      false,
      ["其他：资料不全"],
      ["business.shortName"],
    ]);
    expect(standingOf({ applyment } as never, ["business.shortName"]).untouched).toEqual([]);
    expect(hindrance(standing, [])).toBe("还有 1 处驳回没改");
    expect(stopsOf(standing, [])).toEqual(["business.shortName"]);
  });
  test("a rejection without a word says so; what WeChat Pay has is read only", () => {
    expect(standingOf({ applyment: { ...applyment, rejected: [] } } as never, []).silent).toBe(true);
    expect(standingOf({ applyment: { ...applyment, state: "AUDITING" } } as never, []).readOnly).toBe(true);
    expect(standingOf({ applyment: { ...applyment, sending: true } } as never, []).readOnly).toBe(true);
  });
  test("F8 goes on from where one is, and around", () => {
    expect(nextStop(["contact.name", "store.name"], "contact.name")).toBe("store.name");
    expect(nextStop(["contact.name", "store.name"], "account.name")).toBe("contact.name");
    expect(nextStop([], undefined)).toBeUndefined();
  });
});
