import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addCampaign, decideCampaign } from "@zhangfang/domains/coupons/contract/index.ts";
import { claimCoupon } from "@zhangfang/domains/coupons/server/index.ts";
import type { Config } from "@zhangfang/server/config.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { type SnapshotFile, restoreSnapshot, withClient } from "@zhangfang/server/snapshot.ts";
import { archive, type Manifest, type Part, readArchive } from "@zhangfang/server/snapshot/archive.ts";
import { writeProviderData } from "@zhangfang/server/snapshot/provider-data.ts";
import type { ProviderPlace } from "@zhangfang/server/snapshot/save-provider.ts";
import { copyDatabase, type TestDatabase } from "@zhangfang/server/testing/test-cluster.ts";
import { type CustomerWorld, openCustomers, routeOf } from "../../apps/server/testing/customers.ts";
import { ROOT } from "../run.ts";
import { data, kept, restore, save } from "./one-provider.ts";

const NOW_MS = Date.parse("2026-11-20T06:00:00.000Z");
const folder = mkdtempSync(join(tmpdir(), "zf-provider-"));
const file: SnapshotFile = { path: join(folder, "saved", "provider.backup") };
let customers: CustomerWorld;
let config: Config;
let source: ProviderPlace;
let saved: Manifest;
let sp: string;
const made: TestDatabase[] = [];

const run = async <R extends pg.QueryResultRow>({ owner }: Pick<ProviderPlace, "owner">, text: string): Promise<R[]> =>
  withClient(owner, async (client) => (await client.query<R>(text)).rows);
/** Another installation, with nothing in it. */
async function elsewhere(): Promise<ProviderPlace> {
  const database = await copyDatabase();
  made.push(database);
  return { owner: database.ownerConnection, files: openFiles({ data_dir: join(folder, database.name), object_store: undefined }) };
}

beforeAll(async () => {
  customers = await openCustomers();
  const { world } = customers;
  ({ config } = world.services);
  source = { owner: world.services.owner, files: openFiles(config) };
  for (const login of ["mch01", "mch02"] as const) await plant(login);
  // The test's own table is nobody's.
  await run(source, "create schema aside; alter table test_jobs set schema aside");
  sp = world.tree.merchants.mch01.serviceProviderId;
  await showAndShare();
  const [{ number } = { number: "" }] = await run<{ number: string }>(source, `select number from service_providers where id = '${sp}'`);
  saved = await save(source, config, file, number, NOW_MS);
});
afterAll(async () => {
  for (const database of made) await database.drop();
  await customers.close();
  rmSync(folder, { recursive: true });
});

/** Orders of which one is refunded, a member with stored value and a coupon, a picture, and a push that waits, at a merchant of each provider. */
async function plant(login: "mch01" | "mch02"): Promise<void> {
  const { world } = customers;
  const { services, tree } = world;
  const shop = tree.merchants[login];
  const store = shop.stores[0]!;
  for (const [at, cents] of [1_250, 990].entries()) {
    const order = { tillNo: `${login}-${at}`, tradeType: "MICROPAY", authCode: "130000000000000009", subject: "午餐", grossCents: cents };
    await world.till(store, "createTillOrder", order as never);
    await world.runJobs();
  }
  const asked = await world.till(store, "refundTillOrder", {
    requestId: randomUUID(),
    tillNo: `${login}-0`,
    amountCents: 250,
    reason: "退菜",
  } as never);
  await world.runJobs();
  world.channel.decide(asked.refundNo, "success");
  services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
  if (login === "mch01") {
    const member = await customers.joined("林小满");
    await customers.recharge(member.phone);
    await giveCoupon(member.id);
  } else await customers.joined("周别家", undefined, "mch02");
  const key = `picture-of-${login}`;
  await source.files.write(key, (sink) => sink(Buffer.alloc(200_000, login)));
  const provider = `'${shop.serviceProviderId}'`;
  await run(
    source,
    `insert into ad_materials (id, service_provider_id, name, kind, content_type, sha256, size_bytes, width, height, file_key, status, revision, created_by, created_at, updated_at)
      values (gen_random_uuid(), ${provider}, '海报', 1, 'image/png', '${login === "mch01" ? "a".repeat(64) : "b".repeat(64)}', 200000, 10, 10, '${key}', 0, 1, 'x', now(), now());
    insert into push_endpoints (service_provider_id, id, name, url, events, secret_sealed, state, revision, by_name, created_at, updated_at)
      values (${provider}, gen_random_uuid(), '推送', 'https://${login}.example.cn/', '{order.paid}', 'v1.x', 'active', 1, 'x', now(), now())`,
  );
}
/** An ad that was shown, and a share of a payment that waits for tomorrow. */
async function showAndShare(): Promise<void> {
  await run(
    source,
    `select app.ad_plays_days('{2026-11-20}');
    insert into ad_plays select '2026-11-20', d.id, gen_random_uuid(), d.service_provider_id, d.merchant_id, d.store_id, gen_random_uuid(), gen_random_uuid(),
      '2026-11-20T04:00Z', 8000, true, now() from devices d where d.service_provider_id = '${sp}' limit 1;
    insert into sharing_orders (service_provider_id, id, merchant_id, store_id, order_id, kind, mode, share_no, unfreeze, due_at, requested_by_name, created_at)
      select o.service_provider_id, gen_random_uuid(), o.merchant_id, o.store_id, o.id, 'share', 'auto', 'FZ1', true, '2026-11-21T04:00Z', '系统', now()
      from pay_orders o where o.service_provider_id = '${sp}' and o.till_no = 'mch01-1'`,
  );
}
/** 满 80 减 20 of mch01, received. */
async function giveCoupon(member_id: string): Promise<void> {
  const { world } = customers;
  const now_ms = world.services.clock.now_ms();
  const asked = {
    requestId: randomUUID(),
    name: "满减",
    terms: { kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 7, unit: "day" } },
    total: 30,
    perPerson: 1,
    beginsAt: new Date(now_ms - 1_000).toISOString(),
    endsAt: new Date(now_ms + 30 * 86_400_000).toISOString(),
  };
  const { id } = (await world.ask("mch01", routeOf(addCampaign), asked)) as { id: string };
  await run(source, `update coupon_campaigns set made_by = gen_random_uuid() where id = '${id}'`);
  await world.ask("mch01", routeOf(decideCampaign), { id, version: 1, approve: true });
  const { serviceProviderId: service_provider_id } = world.tree.merchants.mch01;
  await claimCoupon(world.services, { service_provider_id, campaign_id: id }, { member_id, request_id: randomUUID(), hurried: false });
}

test("a provider is restored elsewhere as it was, with its books, its ids and its files, and nothing is told again", async () => {
  const target = await elsewhere();
  await restore(target, config, file);
  const again = await save(target, config, { path: join(folder, "again", "provider.backup") }, sp, NOW_MS);
  const changed = ['"public"."push_endpoints"', '"public"."sharing_orders"'];
  const same = ({ provider }: Manifest) => Object.entries(provider!.rows).filter(([table]) => !changed.includes(table));
  expect(same(again)).toEqual(same(saved));
  expect(again.provider?.books).toEqual(saved.provider?.books);
  expect(saved.provider?.books["value"]?.entries).toBeGreaterThan(0);
  for (const table of ["pay_orders", "refunds", "members", "coupons", "value_entries", "users", "audit_log"])
    expect(await run(target, `select id from ${table} order by id`), table).toEqual(
      await run(source, `select id from ${table} where service_provider_id = '${sp}' order by id`),
    );
  const plays = await run(source, "select play_id from ad_plays");
  expect(plays.length).toBe(1);
  expect(await run(target, "select play_id from ad_plays")).toEqual(plays);
  expect(await run(target, "select state from push_endpoints")).toEqual([{ state: "paused" }]);
  // Money that was to go out by itself waits for a person.
  expect(await run(target, "select status, due_at from sharing_orders")).toEqual([{ status: 0, due_at: null }]);
  const { stream } = await target.files.read("picture-of-mch01");
  expect(Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>))).toEqual(Buffer.alloc(200_000, "mch01"));
});

test("nothing of another provider is in a save", async () => {
  const { mch02 } = customers.world.tree.merchants;
  const [other] = await run<{ name: string; number: string }>(
    source,
    `select name, number from service_providers where id = '${mch02.serviceProviderId}'`,
  );
  const words = [mch02.serviceProviderId, mch02.id, mch02.stores[0]!.id, other!.name, "mch02", "picture-of-mch02"];
  const said: string[] = [];
  await readArchive(file.path, undefined, async (part, bytes) => {
    const text = JSON.stringify(part) + Buffer.concat(await Array.fromAsync(bytes)).toString();
    said.push(...words.filter((word) => text.includes(word)).map((word) => `${JSON.stringify(part).slice(0, 60)}: ${word}`));
  });
  expect(said).toEqual([]);
});

test("beside another provider it is restored once, and the other stays as it was", async () => {
  const target = await elsewhere();
  const { serviceProviderId: other } = customers.world.tree.merchants.mch02;
  const theirs: SnapshotFile = { path: join(folder, "theirs", "provider.backup") };
  const before = await save(source, config, theirs, other, NOW_MS);
  await restore(target, config, theirs);
  await restore(target, config, file);
  await expect(restore(target, config, file)).rejects.toThrow("这里已有服务商");
  const after = await save(target, config, { path: join(folder, "theirs-again", "provider.backup") }, other, NOW_MS);
  expect(after.provider?.books).toEqual(before.provider?.books);
  const held = { '"public"."push_endpoints"': 0 };
  expect({ ...after.provider?.rows, ...held }).toEqual({ ...before.provider?.rows, ...held });
  // What comes after it goes on behind the numbers of both.
  const [next] = await run<{ next: number; last: number }>(
    target,
    "select nextval('ledger_entries_seq_seq')::int as next, (select max(seq)::int from ledger_entries) as last",
  );
  expect(next!.next).toBeGreaterThan(next!.last);
});

test("a name that somebody has here refuses the whole, and all of them are told", async () => {
  const target = await elsewhere();
  const { number } = saved.provider!;
  const { sn } = customers.world.tree.merchants.mch01.stores[0]!.devices[0]!;
  await run(
    target,
    `insert into directory_names values ('provider', '${number}', gen_random_uuid()), ('device', '${sn}', gen_random_uuid()), ('device', 'X', gen_random_uuid())`,
  );
  await expect(restore(target, config, file)).rejects.toThrow(`没有恢复：\n编号 device ${sn}\n编号 provider ${number}`);
  expect(await nothingIn(target)).toBe(true);
});

test("another secret, another version, another kind of backup and a broken file are refused", async () => {
  const target = await elsewhere();
  await expect(restore(target, { ...config, secret: Buffer.alloc(32, "other") }, file)).rejects.toThrow("密钥");
  await run(target, "insert into schema_migrations values ('9999-later.sql', 'x')");
  await expect(restore(target, config, file)).rejects.toThrow("数据库版本不同");
  await run(target, "delete from schema_migrations where name = '9999-later.sql'");
  await expect(restoreSnapshot({ owner: target.owner, files_dir: join(folder, "none") }, file, async () => {})).rejects.toThrow(
    "只是一个服务商的数据",
  );
  const bytes = readFileSync(file.path);
  const broken = { path: join(folder, "broken.backup") };
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  writeFileSync(broken.path, bytes);
  await expect(restore(target, config, broken)).rejects.toThrow("已损坏");
  await expect(save(source, config, file, sp, NOW_MS)).rejects.toThrow("已经存在");
  await expect(save(source, config, { path: join(folder, "nobody.backup") }, "没有", NOW_MS)).rejects.toThrow("没有编号或 ID");
  expect(await nothingIn(target)).toBe(true);
});

test.each([
  [
    "a balance that its lines do not make",
    "update ledger_accounts set balance_cents = balance_cents + 1 where kind = 'merchant'",
    "账本核对不通过",
  ],
  ["a reference to what is not there", "update refunds set order_id = gen_random_uuid()", "refunds 引用了 pay_orders 中这里没有的行"],
  [
    "a name that no row claims",
    "update directory_names set name = '99999' where kind = 'provider'",
    "名录与行里的编号不一致，没有恢复：provider ",
  ],
])("%s is not restored, and nothing stays of it", async (name, spoil, why) => {
  const target = await elsewhere();
  const spoiled = { path: join(folder, `${name}.backup`) };
  const whose = `service_provider_id = '${sp}'`;
  await run(
    source,
    `create table aside.kept as select * from ledger_accounts; create table aside.kept_refunds as select * from refunds;
    create table aside.kept_names as select * from directory_names;
    begin; set local session_replication_role = replica; ${spoil}${spoil.includes(" where ") ? " and" : " where"} ${whose}; commit`,
  );
  await save(source, config, spoiled, sp, NOW_MS);
  await run(
    source,
    `begin; set local session_replication_role = replica;
    update ledger_accounts a set balance_cents = k.balance_cents from aside.kept k where k.id = a.id; update refunds r set order_id = k.order_id from aside.kept_refunds k where k.id = r.id;
    delete from directory_names; insert into directory_names select * from aside.kept_names; drop table aside.kept, aside.kept_refunds, aside.kept_names; commit`,
  );
  await expect(restore(target, config, spoiled)).rejects.toThrow(why);
  expect(await nothingIn(target)).toBe(true);
});

interface Piece {
  readonly part: Part;
  readonly text: string;
}
/** A save that somebody made out of the honest one, sealed anew. */
async function crafted(name: string, edit: (pieces: readonly Piece[], about: Manifest) => readonly Piece[]): Promise<SnapshotFile> {
  const pieces: Piece[] = [];
  const about = await readArchive(file.path, undefined, async (part, bytes) => {
    pieces.push({ part, text: Buffer.concat(await Array.fromAsync(bytes)).toString() });
  });
  const { parts: _parts, ...rest } = about;
  const changed = edit(pieces, rest as Manifest).map(({ part, text }) => ({
    part,
    bytes: (async function* () {
      yield Buffer.from(text);
    })(),
  }));
  const path = join(folder, `${name}.backup`);
  writeFileSync(
    path,
    Buffer.concat(
      await Array.fromAsync(
        archive(
          (async function* () {
            yield* changed;
          })(),
          rest,
          undefined,
        ),
      ),
    ),
  );
  return { path };
}
/** What stands in a save's part of a table, and with what the part is told. */
const pieceOf = (pieces: readonly Piece[], table: string) =>
  pieces.find(({ part }) => "table" in part && part.table === `"public"."${table}"`)!;
/** The first row of it with other values. */
function rowOf({ part, text }: Piece, values: Readonly<Record<string, string>>): string {
  const cells = text.split("\n")[0]!.split("\t");
  return ("columns" in part ? part.columns : []).map((column, at) => values[column] ?? cells[at]).join("\t");
}

test("words of a save are never run: partitions and sequences are those of the place", async () => {
  const target = await elsewhere();
  const evil = await crafted("evil", (pieces, about) => {
    (about.sequences as { name: string; value: string }[]).push({
      name: '"public".export_queue restart; create table pwned (); --',
      value: "1",
    });
    return pieces.map(({ part, text }) => {
      if (!("table" in part) || !part.partition) return { part, text };
      return { part: { ...part, partition: { ...part.partition, bound: `${part.partition.bound}; create table pwned ()` } }, text };
    });
  });
  await restore(target, config, evil);
  expect(await run(target, "select to_regclass('public.pwned')::text as pwned")).toEqual([{ pwned: null }]);
  expect(await run(target, "select day from ad_plays")).toEqual([{ day: "2026-11-20" }]);
});

test("a save that brings rows of anybody else, twice a table, odd numbers or other files is refused", async () => {
  const target = await elsewhere();
  const none = Object.fromEntries(
    ["service_provider_id", "agent_id", "business_group_id", "business_team_id", "salesman_id", "merchant_id"].map((node) => [node, "\\N"]),
  );
  const root = { ...none, id: randomUUID(), login: "root2", root_login: "root2", level: "ADMIN", role: "ROLE_ADMIN" };
  const other = { owner_user_id: randomUUID(), id: randomUUID() };
  const messages = saved.provider!.rows['"public"."messages"']!;
  const refused: [string, Parameters<typeof crafted>[1], string][] = [
    [
      "a second part",
      (pieces) => {
        const users = pieceOf(pieces, "users");
        return [{ part: users.part, text: `${rowOf(users, root)}\n` }, ...pieces];
      },
      "两份表",
    ],
    [
      // COPY takes a carriage return for the end of a row too.
      "rows that no line feed ends",
      (pieces) =>
        pieces.map((piece) =>
          piece === pieceOf(pieces, "messages")
            ? {
                ...piece,
                text: `${Object.values({ ...other, kind: "x", title: "x", body: "x", href: "/", item: "x", once: "\\N", created_at: "2026-11-20", read_at: "\\N" }).join("\t")}\r`,
              }
            : piece,
        ),
      '表 "public"."messages" 恢复后与保存的不一致',
    ],
    [
      "a number far ahead",
      (pieces, about) => {
        Object.assign(about, { sequences: about.sequences.map(({ name }) => ({ name, value: "9007199254740000" })) });
        return pieces;
      },
      "不合理",
    ],
    ["a file less", (pieces) => pieces.filter(({ part }) => "table" in part), "文件与行里提到的不一致"],
  ];
  expect(messages.rows).toBe(0);
  for (const [name, edit, why] of refused) {
    await expect(restore(target, config, await crafted(name, edit)), name).rejects.toThrow(why);
    expect(await nothingIn(target), name).toBe(true);
  }
});

test("whoever has a key takes no save that anybody could have made", async () => {
  const target = await elsewhere();
  await expect(restore(target, config, { ...file, key: "k".repeat(32) })).rejects.toThrow("没有加密");
});

test("it is restored only where somebody says that the old place has stopped", () => {
  const { status, stderr } = spawnSync("node", ["boot.mjs", "tools/backup/provider.ts", "restore", "--from", join(folder, "saved")], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain("请先停止原来的系统");
});

test("files that are missing are told; where nearly all are, nothing is written", async () => {
  const lost: ProviderPlace = { ...source, files: openFiles({ data_dir: join(folder, "wrong"), object_store: undefined }) };
  const without: SnapshotFile = { path: join(folder, "without", "provider.backup") };
  await expect(save(lost, config, without, sp, NOW_MS)).rejects.toThrow("不在这里");
  await expect(data(lost, config, join(folder, "data-without"), sp)).rejects.toThrow("不在这里");
  const { provider } = await save({ ...lost, files_missing: true }, config, without, sp, NOW_MS);
  expect(provider?.files_missing).toEqual(["picture-of-mch01"]);
  const target = await elsewhere();
  // A file that the save has not is nobody else's here: a row would open it.
  await target.files.write("picture-of-mch01", (sink) => sink(Buffer.from("theirs")));
  await expect(restore(target, config, without)).rejects.toThrow("这里已有另一个文件");
  await expect(restore(target, config, file)).rejects.toThrow("这里已有另一个文件");
  await target.files.remove("picture-of-mch01");
  await restore(target, config, without);
});

test("data that can't be written leaves nothing behind, and nothing of anybody else's goes", async () => {
  const out = join(folder, "cut");
  mkdirSync(`${out}.part`);
  writeFileSync(join(`${out}.part`, "mine"), "");
  // The place of a file is taken as it is to be made.
  const members = () => {
    const [made = ""] = readdirSync(folder).filter((name) => name.startsWith("cut.") && name !== "cut.part");
    mkdirSync(join(folder, made, "members.csv"), { recursive: true });
    return {};
  };
  await expect(writeProviderData(source, out, sp, kept, { members })).rejects.toThrow("EISDIR");
  expect(readdirSync(dirname(out)).filter((name) => name.startsWith("cut"))).toEqual(["cut.part"]);
  expect(readdirSync(`${out}.part`)).toEqual(["mine"]);
});

/** Whether a place has no provider, none of a provider's names and none of its files. */
async function nothingIn(target: ProviderPlace): Promise<boolean> {
  const [found] = await run<{ none: boolean }>(
    target,
    `select not exists (select from service_providers union all select from pay_orders union all select from users where service_provider_id = '${sp}'
      union all select from directory_names where service_provider_id = '${sp}') as none`,
  );
  const file = await target.files.read("picture-of-mch01").catch(() => undefined);
  return found!.none && file === undefined;
}

test("its data is files that others can read, with nothing that lets anybody in and nothing of others", async () => {
  const out = join(folder, "data");
  const told = await data(source, config, out, sp);
  await expect(data(source, config, out, sp)).rejects.toThrow("已经存在");
  const names = readdirSync(out).toSorted();
  const read = (name: string) => readFileSync(join(out, name), "utf8");
  expect(names).toEqual(
    expect.arrayContaining([
      "README.txt",
      "ad_plays.csv",
      "files",
      "members.csv",
      "pay_orders.csv",
      "refunds.csv",
      "users.csv",
      "value_postings.csv",
    ]),
  );
  expect(told.tables.find(({ name }) => name === "pay_orders")?.rows).toBe(3);
  expect(readdirSync(join(out, "files"))).toEqual(["picture-of-mch01"]);
  const csv = names.filter((name) => name.endsWith(".csv")).map((name) => ({ name, text: read(name) }));
  for (const { name, text } of csv) expect(text.startsWith("\uFEFF"), name).toBe(true);
  // Money in yuan, said so at its head; who the members are.
  const [head = "", ...rows] = read("pay_orders.csv").slice(1).split("\r\n");
  const at = head.split(",").indexOf('"paid_yuan"');
  expect(
    rows
      .filter(Boolean)
      .map((row) => row.split(",")[at] ?? "")
      .toSorted(),
  ).toEqual(["12.50", "500.00", "9.90"]);
  expect(read("members.csv")).toContain("林小满");
  expect(read("README.txt")).toContain("单位是元");
  const all = csv.map(({ text }) => text).join("\n");
  // What is sealed or hashed in the database, wherever it is.
  const secrets = await run<{ secret: string }>(
    source,
    `select unnest(array[password_hash, totp_sealed]) as secret from users union all select unnest(array[private_key_sealed, api_v3_key_sealed]) from channel_settings
      union all select key_sealed from devices union all select unnest(array[name_sealed, phone_sealed]) from members union all select 'v1.'`,
  );
  expect(secrets.length).toBeGreaterThan(20);
  expect(secrets.filter(({ secret }) => secret !== null && all.includes(secret))).toEqual([]);
  const { mch02 } = customers.world.tree.merchants;
  expect([mch02.serviceProviderId, mch02.id, "mch02", "周别家"].filter((word) => all.includes(word))).toEqual([]);
});
