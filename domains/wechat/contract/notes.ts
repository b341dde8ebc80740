import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { dateRange, day, done, flag, id, instant, line, listInput, listOutput, oneOf, queryCents } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { wxAppKind } from "./codes.ts";
import { linkFault, TEXT_MOST } from "./note-words.ts";

/** 草稿 → 待审核 → 待发送 → 发送中 → 待管理员确认 → 已发送 | 部分失败 | 失败; 已取消 before the sending (platforms.md 6). */
export const noteState = labelled({
  draft: ["草稿", "ended"],
  review: ["待审核", "warn"],
  ready: ["待发送", "active"],
  sending: ["发送中", "active"],
  confirming: ["待管理员确认", "warn"],
  sent: ["已发送", "good"],
  partly: ["部分失败", "bad"],
  failed: ["失败", "bad"],
  cancelled: ["已取消", "ended"],
});
/** Whose result one person told, so that another has to. */
export const noteCheck = labelled({ open: "等另一人登记" });
export const noteKind = labelled({ text: "文字", picture: "图片", article: "图文" });
export const noteLink = labelled({ none: "不带链接", centre: "领券中心", member: "会员页", url: "别的网址" });
/** What became of a batch; `asked`: WeChat was asked and nobody knows yet. */
export const batchState = labelled({
  waiting: ["待发", "active"],
  asked: ["还不知道，正在查", "warn"],
  accepted: ["微信已收下", "active"],
  sent: ["已发送", "good"],
  failed: ["失败", "bad"],
  void: ["作废", "ended"],
  spent: ["额度用完", "ended"],
});

const access = "/wxCRM/groupNote";
const edit = "/wxCRM/groupNote/edit";
const audit = "/wxCRM/groupNote/audit";
const steer = "/wxCRM/groupNote/steer";

export const notePictureUrl = z.string().regex(/^\/api\/group-note-pictures\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "图片无效");
/** A link of the note; what stands in the message is a short link that counts and leads on. */
const link = z.object({ to: oneOf(noteLink), url: z.string().trim().max(500, "网址过长").default("") }).superRefine(({ to, url }, ctx) => {
  const fault = to === "url" ? linkFault(url) : undefined;
  if (fault !== undefined) ctx.addIssue({ code: "custom", path: ["url"], message: fault });
});
export const noteContent = z.object({
  text: z.string().trim().max(TEXT_MOST, `不能超过 ${TEXT_MOST} 个字`).default(""),
  picture: notePictureUrl.nullable().default(null),
  title: line(32).default(""),
  digest: line(120).default(""),
  /** Paragraphs of an article, plain text. */
  body: z.string().trim().max(5_000, "不能超过 5000 个字").default(""),
  link: link.default({ to: "none", url: "" }),
});
export type NoteContent = z.output<typeof noteContent>;
/** Followers, by their source, when they followed and, of those who are members, by what they are now. Nothing filled in is every follower that we know. */
export const noteAudience = z.object({
  /** One call to all, which is allowed once a day; the rest says nothing then. */
  everybody: flag.default(false),
  followedFrom: day.optional(),
  followedTo: day.optional(),
  /** The code that they scanned last, or any code of a store. */
  channelId: id.optional(),
  sourceStoreId: id.optional(),
  tag: line(20).optional(),
  spentFromCents: queryCents.optional(),
  lastVisitBefore: day.optional(),
  storeId: id.optional(),
});
export type NoteAudience = z.output<typeof noteAudience>;

const facts = {
  appId: z.uuid("请选择公众号"),
  name: line(40, 1, "请填写群发名称"),
  kind: oneOf(noteKind),
  content: noteContent,
  audience: noteAudience,
  /** Left out: as soon as it is approved. */
  startsAt: instant.nullable().default(null),
};

const row = z.object({
  id,
  name: z.string(),
  merchantName: z.string(),
  appName: z.string(),
  appKind: oneOf(wxAppKind),
  kind: oneOf(noteKind),
  state: oneOf(noteState),
  paused: z.boolean(),
  why: z.string(),
  startsAt: instant.nullable(),
  /** In its list, and those of them who had nothing left of their quota. Null before it is frozen. */
  people: z.int().nullable(),
  atLimit: z.int(),
  /** Followers whose batches WeChat took; as WeChat tells: sent, filtered, failed. Null: WeChat did not say. */
  taken: z.int(),
  sent: z.int().nullable(),
  filtered: z.int().nullable(),
  failed: z.int(),
  clicks: z.int(),
  madeBy: z.string(),
  decidedBy: z.string(),
  createdAt: instant,
});
export const noteFilters = {
  keyword: line(40).optional(),
  state: oneOf(noteState).optional(),
  check: oneOf(noteCheck).optional(),
  ...dateRange,
};
/** 群发消息. */
export const listNotes = read({
  path: "/api/group-notes",
  title: "群发消息",
  access,
  input: listInput(noteFilters, ["-createdAt"]),
  output: listOutput(row),
});
const batch = z.object({
  id,
  place: z.int(),
  state: oneOf(batchState),
  people: z.int(),
  sent: z.int().nullable(),
  filtered: z.int().nullable(),
  failed: z.int().nullable(),
  reason: z.string(),
  askedAt: instant.nullable(),
  /** Until when the account's admin may say yes; null once it is past. */
  confirmBy: instant.nullable(),
  settledAt: instant.nullable(),
  replaced: z.boolean(),
  deletedAt: instant.nullable(),
  /** Nobody knows of it for so long that two persons may say what became of it. */
  doubtful: z.boolean(),
});
/** 群发详情. */
export const getNote = read({
  path: "/api/group-notes/one",
  title: "群发详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    appId: id,
    content: noteContent,
    audience: noteAudience,
    revision: z.int(),
    decidedAt: instant.nullable(),
    frozenAt: instant.nullable(),
    endedAt: instant.nullable(),
    clickedAt: instant.nullable(),
    /** The short link of the note; null where it leads nowhere. */
    shortUrl: z.string().nullable(),
    /** Names of whom the audience means, where they still are. */
    channelName: z.string().nullable(),
    sourceStoreName: z.string().nullable(),
    storeName: z.string().nullable(),
    /** What one person said became of batches that are in doubt still; another has to say the same. */
    verdict: z.enum(["was-sent", "was-not-sent"]).nullable(),
    verdictBy: z.string(),
    /** Who made it can't approve it. */
    mine: z.boolean(),
    batches: z.array(batch),
  }),
});
/** Accounts that a note can be sent from. */
export const listNoteApps = read({
  path: "/api/group-notes/apps",
  title: "可以群发的公众号",
  access,
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        id,
        name: z.string(),
        kind: oneOf(wxAppKind),
        fans: z.int(),
        active: z.boolean(),
      }),
    ),
  }),
});
/** Codes of an account by what somebody typed, the newest first; or the one whose id is known. */
export const seekNoteChannels = read({
  path: "/api/group-notes/channels",
  title: "查找渠道码",
  access,
  input: z.object({ appId: id, search: line(30).default(""), id: id.optional() }),
  output: z.object({ items: z.array(z.object({ id, name: z.string() })) }),
});
/** How many of an audience have how many left, in the month (or on the day) of the sending. */
export const getNoteSpread = read({
  path: "/api/group-notes/spread",
  title: "群发额度分布",
  access,
  verb: "POST",
  input: z.object({ appId: id, audience: noteAudience, startsAt: instant.nullable().default(null), noteId: id.optional() }),
  output: z.object({
    most: z.int(),
    per: z.enum(["month", "day"]),
    /** From `most` down to 0. */
    spread: z.array(z.object({ left: z.int(), people: z.int() })),
    /** To all was sent already on that day. */
    everybodySent: z.boolean(),
    /** Other notes of the account that wait for the same month or day. */
    others: z.array(z.object({ id, name: z.string(), startsAt: instant.nullable() })),
  }),
});
export const addNote = write({
  path: "/api/group-notes/add",
  title: "新建群发",
  access: edit,
  idempotent: "requestId",
  input: z.object({ requestId: id, ...facts }),
  output: z.object({ id }),
});
export const updateNote = write({
  path: "/api/group-notes/update",
  title: "修改群发",
  access: edit,
  input: z.object({ id, revision: z.int(), ...facts }),
  output: done,
});
/** 提交审核, 撤回 and 取消. */
export const handNote = write({
  path: "/api/group-notes/hand",
  title: "提交审核群发",
  access: edit,
  input: z.object({ id, revision: z.int() }),
  output: done,
});
export const withdrawNote = write({
  path: "/api/group-notes/withdraw",
  title: "撤回群发",
  access: edit,
  input: z.object({ id }),
  output: done,
});
export const cancelNote = write({
  path: "/api/group-notes/cancel",
  title: "取消群发",
  access: edit,
  input: z.object({ id }),
  output: done,
});
export const copyNote = write({
  path: "/api/group-notes/copy",
  title: "复制群发",
  access: edit,
  idempotent: "requestId",
  input: z.object({ requestId: id, id }),
  output: z.object({ id }),
});
/** 审核: by another than who made it; what is approved is the revision that was read. */
export const decideNote = write({
  path: "/api/group-notes/decide",
  title: "审核群发",
  access: audit,
  input: z.object({ id, revision: z.int(), approve: flag, why: line(100).default("") }),
  output: done,
});
/**
 * 暂停, 继续, and 失败的再发: failed batches go out anew, under ids of their own. `was-sent` and `was-not-sent`: what became of batches that nobody
 * knows of, as seen at mp.weixin.qq.com; it holds once another person says the same.
 */
export const steerNote = write({
  path: "/api/group-notes/steer",
  title: "控制群发",
  access: steer,
  input: z.object({ id, act: z.enum(["pause", "resume", "retry", "was-sent", "was-not-sent"]) }),
  output: done,
});
/** 预览: to one WeChat that follows the account, 100 a day by WeChat's rule; it costs no quota. */
export const previewNote = write({
  path: "/api/group-notes/preview",
  title: "预览群发",
  access: [edit, audit],
  outside: true,
  deadline_ms: 40_000,
  input: z.object({
    id,
    wxName: z
      .string()
      .trim()
      .regex(/^[A-Za-z][\w-]{5,19}$/, "请填写微信号（字母开头，6 到 20 位），不是昵称"),
  }),
  output: done,
});
/** 删除: takes an article away from those who did not open it; texts and pictures stay. */
export const deleteNote = write({
  path: "/api/group-notes/delete",
  title: "删除已群发的图文",
  access: steer,
  outside: true,
  deadline_ms: 40_000,
  input: z.object({ id }),
  output: z.object({ deleted: z.int(), left: z.int() }),
});
export const NOTE_PICTURE_MOST = { width: 4_000, height: 4_000, bytes: 700_000 } as const;
export const addNotePicture = write({
  path: "/api/group-notes/pictures",
  title: "上传群发图片",
  access: edit,
  input: z.object({ base64: z.base64().max(1_000_000, "图片过大") }),
  output: z.object({ url: z.string() }),
});
/** For whoever has its number. */
export const getNotePicture = read({
  path: "/api/group-note-pictures/:id",
  title: "群发图片",
  access: "public",
  envelope: "file",
  input: z.object({ id }),
  output: z.unknown(),
});
