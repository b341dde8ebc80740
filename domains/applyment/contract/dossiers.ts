import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { applymentState, dossierStage, severity, step } from "./codes.ts";

const access = "/applyment/form";
const edit = "/applyment/form/edit";
const path = z.string().max(40);
const value = z.union([z.string().max(512, "不能超过 512 个字"), z.array(z.string().max(64)).max(10, "最多 10 项")]);
const finding = z.object({
  path,
  severity: oneOf(severity),
  rule: z.string(),
  text: z.string(),
  step: oneOf(step),
  label: z.string(),
  /** Another application of the same licence. */
  applymentId: id.optional(),
});
const findings = z.array(finding);
/** How often each path was written. */
const versions = z.record(z.string(), z.int());

/** 开户资料 that somebody began, the last written first. */
export const listDossiers = read({
  path: "/api/applyments/dossiers",
  title: "开户资料列表",
  access,
  input: listInput({ stage: oneOf(dossierStage).optional(), keyword: line(64).optional() }, ["-updatedAt"]),
  output: listOutput(
    z.object({
      id,
      merchantId: id,
      merchantName: z.string(),
      stage: oneOf(dossierStage),
      /** Fields that hold something. */
      filled: z.int(),
      /** Who wrote last. */
      byName: z.string(),
      updatedAt: instant,
    }),
  ),
});
/** 开户资料 of a merchant: secrets masked, what the doctor found, and the application that is on its way. */
export const getDossier = read({
  path: "/api/applyments/dossier",
  title: "开户资料",
  access,
  input: z.object({ merchantId: id }),
  output: z.object({
    merchantName: z.string(),
    values: z.record(z.string(), value),
    versions,
    /** Who wrote each path last. */
    writers: z.record(z.string(), z.string()),
    findings,
    /** How often they were handed in; goes back with a submission. */
    submissions: z.int(),
    /** Whether WeChat Pay grants 小微 to the provider. */
    micro: z.boolean(),
    /** The number that an earlier application opened; another one would open one more. */
    opened: z.string().nullable(),
    byName: z.string().nullable(),
    updatedAt: instant.nullable(),
    applyment: z
      .object({
        id,
        state: oneOf(applymentState),
        /** Handed in, and nobody knows yet whether the channel has it. */
        sending: z.boolean(),
        /** Reasons of the last rejection; one without paths stands above all steps. */
        rejected: z.array(z.object({ paths: z.array(path), name: z.string(), reason: z.string() })),
        message: z.string(),
        stateAt: instant,
        /** Rejected paths that still hold what was rejected. */
        untouched: z.array(path),
      })
      .nullable(),
  }),
});
/** Fields as they are typed; each over the version that was read, so that two people don't overwrite each other. An empty text takes it out. */
export const saveDossier = write({
  path: "/api/applyments/dossier/save",
  title: "填写开户资料",
  access: edit,
  input: z.object({
    merchantId: id,
    changes: z
      .array(z.object({ path, value, version: z.int().min(0) }))
      .min(1, "没有要保存的内容")
      .max(60, "一次最多保存 60 栏"),
  }),
  /** Versions of what was saved, and of nothing else: whoever saved has not seen what others wrote. */
  output: z.object({ versions, findings }),
});
/** A picture in base64: PNG or JPEG, drawn anew, kept private. */
export const addApplymentFile = write({
  path: "/api/applyments/files/add",
  title: "上传进件图片",
  access: edit,
  outside: true,
  deadline_ms: 30_000,
  input: z.object({ merchantId: id, base64: z.string().min(1, "请选择图片").max(245_000, "图片不能超过 180 KB，请缩小后再传") }),
  output: z.object({ id }),
});
/** An address of a picture that is good for a minute; each look is written down. */
export const lookAtApplymentFile = write({
  path: "/api/applyments/files/look",
  title: "查看进件图片",
  access: "/applyment/form/reveal",
  input: z.object({ id }),
  output: z.object({ url: z.string() }),
});
export const getApplymentFile = read({
  path: "/api/applyments/file/:token",
  title: "进件图片",
  access: "public",
  envelope: "file",
  input: z.object({ token: line(64, 1) }),
  output: z.unknown(),
});
