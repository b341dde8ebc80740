import { read, write } from "@zhangfang/contract/endpoint.ts";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf, wholeNumber } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { itemType, PLATFORM_ID } from "./keys.ts";

const value = z.union([z.string().max(400), z.number(), z.boolean()]);
const type = oneOf(itemType);
/** Any number: a type that the tree does not know is logged before it is refused (spec.md section 3). */
const typeGiven = wholeNumber(0, 9_999);
/** A node as a caller names it; the platform needs no id. */
const nodeGiven = { item_type: typeGiven, item_id: z.union([id, z.literal(PLATFORM_ID)]).default(PLATFORM_ID) };
const nodeRef = z.object({ item_type: type, item_id: z.string() });

/** A node of the tree, with the nodes that it lies in (spec.md section 3, Hierarchy node). */
const treeNode = z.object({
  id: z.string(),
  item_type: type,
  item_id: z.string(),
  item_name: z.string(),
  /** Its number, a device's serial number. */
  item_number: z.string(),
  service_provider_id: z.string().nullable(),
  service_provider_name: z.string().nullable(),
  merchant_id: z.string().nullable(),
  merchant_name: z.string().nullable(),
  store_id: z.string().nullable(),
  store_name: z.string().nullable(),
  /** How many keys have a value of their own here. */
  own_keys: z.int(),
  /** Whether anything may lie below. */
  leaf: z.boolean(),
});
const keyRow = z.object({
  ckey: z.string(),
  name: z.string(),
  group: z.string(),
  valueType: z.enum(["int", "select", "text", "switch", "image"]),
  valueRange: z.union([z.string(), z.array(z.tuple([z.union([z.string(), z.number()]), z.string()]))]),
  defaultValue: value,
  levels: z.array(type),
  unit: z.string(),
  note: z.string(),
});
const effective = z.object({
  ckey: z.string(),
  value,
  own: value.nullable(),
  /** The node whose value holds; null where it is the key's default. */
  from: nodeRef.extend({ item_name: z.string() }).nullable(),
  changed_by: z.string().nullable(),
  changed_at: instant.nullable(),
  /** Whether a value of its own may stand here. */
  settable: z.boolean(),
});
const change = z.object({
  ckey: z.string().min(1).max(64),
  /** null goes back to what is inherited. */
  value: value.nullable(),
});
const targets = {
  items: z.array(z.object(nodeGiven)).min(1, "请选择要设置的节点").max(200, "一次最多设置 200 个节点"),
  configs: z.array(change).min(1, "没有要保存的修改").max(100),
};
const changeRow = z.object({
  id: z.string(),
  saveId: z.string(),
  undoes: z.string().nullable(),
  item_type: type,
  item_id: z.string(),
  item_name: z.string(),
  ckey: z.string(),
  from: value.nullable(),
  to: value.nullable(),
  changedBy: z.string(),
  changedAt: instant,
  /** Whether it was undone by a later save. */
  undone: z.boolean(),
});
const effect = z.object({
  /** Names what would be written and over what; saving with it refuses where somebody else was faster. */
  tag: z.string(),
  /** The nodes' own values as they are now. */
  now: z.array(
    z.object({
      item_type: type,
      item_id: z.string(),
      item_name: z.string(),
      ckey: z.string(),
      own: value.nullable(),
      to: value.nullable(),
      changed_by: z.string().nullable(),
      changed_at: instant.nullable(),
    }),
  ),
  /** How many devices change from what to what. */
  changes: z.array(z.object({ ckey: z.string(), from: value, to: value, devices: z.int() })),
  /** Devices for which anything changes, and all that lie below the nodes. */
  changed: z.int(),
  below: z.int(),
  /** Some of those that change. */
  devices: z.array(z.object({ id: z.string(), sn: z.string(), name: z.string(), merchantName: z.string(), storeName: z.string() })),
});

interface Given {
  /** As spec.md writes it, up to the call's name. */
  readonly legacy: `/${string}`;
  /** The word in the calls' names: get_device_config. */
  readonly thing: "device" | "ad";
  readonly path: `/api/${string}`;
  readonly title: string;
  /** The screen that opens them. */
  readonly access: ItemPath;
  /** Other screens that walk the tree. */
  readonly alsoTree?: readonly ItemPath[];
}
const readCalls = ({ legacy, thing, path, title, access, alsoTree = [] }: Given) => ({
  tree: read({
    path: `${legacy}/get_${thing}_config_tree`,
    title: `${title}层级`,
    access: [access, ...alsoTree],
    envelope: "bare",
    input: z.object({
      /** The node whose children are asked for; without one, where the caller's own tree begins. */
      item_type: typeGiven.optional(),
      item_id: z.union([id, z.literal(PLATFORM_ID)]).optional(),
      keyword: line(64).optional(),
      cursor: z.string().max(400).optional(),
    }),
    output: listOutput(treeNode),
  }),
  keys: read({
    path: `${legacy}/get_${thing}_config_key`,
    title: `${title}项`,
    access,
    envelope: "bare",
    input: z.object({}),
    output: z.array(keyRow),
  }),
  get: read({
    path: `${legacy}/get_${thing}_config`,
    title,
    access,
    envelope: "bare",
    input: z.object(nodeGiven),
    output: z.object({ node: treeNode, configs: z.array(effective) }),
  }),
  preview: read({
    verb: "POST",
    path: `${path}/preview`,
    title: `预览${title}`,
    access,
    input: z.object({ items: targets.items.optional(), configs: targets.configs.optional(), undo: id.optional() }),
    output: effect,
  }),
  history: read({
    path: `${path}/changes`,
    title: `${title}历史`,
    access,
    input: listInput({ item_type: typeGiven, item_id: nodeGiven.item_id, ckey: z.string().max(64).optional() }, ["-changedAt"]),
    output: listOutput(changeRow),
  }),
});
const writeCalls = ({ legacy, thing, path, title, access }: Given) => ({
  update: write({
    path: `${legacy}/update_${thing}_config`,
    title: `修改${title}`,
    access,
    envelope: "bare",
    input: z.object({
      item_type: typeGiven.optional(),
      item_id: nodeGiven.item_id.optional(),
      items: targets.items.optional(),
      configs: targets.configs,
      /** From the preview, so that nobody's change is overwritten unseen. */
      tag: z.string().max(64).optional(),
    }),
    output: z.object({ ok: z.literal(true), saveId: z.string().nullable(), changed: z.int() }),
  }),
  undo: write({
    path: `${path}/undo`,
    title: `撤销${title}修改`,
    access,
    input: z.object({ saveId: id, tag: z.string().max(64).optional() }),
    output: done.extend({ changed: z.int() }),
  }),
  picture: write({
    path: `${path}/pictures`,
    title: `上传${title}图片`,
    access,
    input: z.object({ base64: z.base64("图片内容不正确").max(240_000, "图片过大") }),
    output: z.object({ url: z.string() }),
  }),
});
/** The calls of one inherited configuration: the four of spec.md section 7 under `legacy`, and what they don't cover under `path`. */
export const configCalls = (given: Given) => ({ ...readCalls(given), ...writeCalls(given) });
export type ConfigCalls = ReturnType<typeof configCalls>;

/** A picture that is the value of a key, by its number, for devices and whoever else has it. */
export const getConfigPicture = read({
  path: "/api/config-pictures/:id",
  title: "配置图片",
  access: "public",
  envelope: "file",
  input: z.object({ id }),
  output: z.unknown(),
});
