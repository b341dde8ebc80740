import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { endpointState, offWhy, pushEvent } from "./words.ts";

const access = "/admin/dataPush";
const edit = "/admin/dataPush/edit";
const filters = {
  serviceProviderId: scopeFilter.serviceProviderId,
  keyword: line(64).optional(),
  state: oneOf(endpointState).optional(),
};
const row = z.object({
  id,
  serviceProviderId: id,
  serviceProviderName: z.string(),
  name: z.string(),
  url: z.string(),
  events: z.array(oneOf(pushEvent)),
  /** Null: all merchants, and what belongs to none. */
  merchants: z.array(z.object({ id, name: z.string() })).nullable(),
  state: oneOf(endpointState),
  offWhy: oneOf(offWhy).nullable(),
  offAt: instant.nullable(),
  /** From when on all failed, and the minute at which it switches itself off. */
  failingSince: instant.nullable(),
  offDueAt: instant.nullable(),
  /** The old secret signs too until then. */
  oldUntil: instant.nullable(),
  secretShownAt: instant.nullable(),
  /** Of the last 24 hours, by when they happened. */
  day: z.object({ count: z.int(), succeeded: z.int() }),
  /** What can be sent again, and what waits. */
  abandoned: z.int(),
  waiting: z.int(),
  revision: z.int(),
  byName: z.string(),
  createdAt: instant,
});
/** 推送地址: of a provider; the platform sees everybody's. */
export const listPushEndpoints = read({
  path: "/api/push/endpoints",
  title: "推送地址",
  access,
  input: listInput(filters, ["-createdAt"]),
  output: listOutput(row),
});
export const getPushEndpoint = read({
  path: "/api/push/endpoints/one",
  title: "推送地址详情",
  access: [access, "/admin/dataPush/list"],
  input: z.object({ id }),
  output: row,
});

const facts = {
  name: line(32, 1, "请填写名称"),
  url: z.string().trim().min(1, "请填写接收地址").max(500, "不能超过 500 个字"),
  events: z.array(oneOf(pushEvent)).min(1, "至少选一种事件").max(40),
  /** Empty: all merchants. */
  merchantIds: z.array(id).max(200, "最多选 200 个商户").default([]),
};
/** 新建: the secret is not in the answer; `takePushSecret` shows it, once. */
export const addPushEndpoint = write({
  path: "/api/push/endpoints/add",
  title: "新建推送地址",
  access: edit,
  idempotent: "requestId",
  closedToActing: true,
  input: z.object({ requestId: id, ...facts }),
  output: z.object({ id }),
});
export const updatePushEndpoint = write({
  path: "/api/push/endpoints/update",
  title: "修改推送地址",
  access: edit,
  closedToActing: true,
  input: z.object({ id, revision: z.int(), ...facts }),
  output: done,
});
/** 暂停: what happens waits. 恢复 sends it. 删除 is for good. A disabled one comes back by a test that passes. */
export const steerPushEndpoint = write({
  path: "/api/push/endpoints/state",
  title: "启停推送地址",
  access: "/admin/dataPush/state",
  input: z.object({ id, revision: z.int(), to: oneOf(labelled({ active: "恢复", paused: "暂停", removed: "删除" })) }),
  output: done,
});
/** Shows a secret, once for each that was made. @throws 409 where it was shown */
export const takePushSecret = write({
  path: "/api/push/endpoints/secret",
  title: "显示推送密钥",
  access: edit,
  closedToActing: true,
  input: z.object({ id }),
  output: z.object({ secret: z.string() }),
});
/** 轮换密钥. Without `atOnce` the old one signs too for 24 hours, and no other rotation begins in that time. */
export const rotatePushSecret = write({
  path: "/api/push/endpoints/rotate",
  title: "轮换推送密钥",
  access: edit,
  closedToActing: true,
  input: z.object({ id, revision: z.int(), atOnce: flag }),
  output: done,
});
/** 发一条测试 to this address alone; it is tried once. */
export const testPushEndpoint = write({
  path: "/api/push/endpoints/test",
  title: "发测试事件",
  access: "/admin/dataPush/replay",
  input: z.object({ id }),
  output: z.object({ deliveryId: id }),
});
/** 贴一条进来验: whether a received message is one of ours as we sent it, and if not why. Changes nothing, tells no signature. */
export const checkPushSignature = read({
  path: "/api/push/endpoints/check",
  title: "验推送签名",
  verb: "POST",
  access: "/admin/dataPush/replay",
  input: z.object({
    id,
    headers: z.string().min(1, "请贴上请求头").max(8_000),
    body: z.string().min(1, "请贴上正文").max(30_000),
  }),
  output: z.object({ right: z.boolean(), why: z.string() }),
});
