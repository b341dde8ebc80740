import { randomUUID } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import type { Endpoint, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { photoForTests } from "@zhangfang/server/files/picture-for-tests.ts";
import { keepLog, plainInTables } from "@zhangfang/server/testing/plain-secrets.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  addApplymentFile,
  addApplymentLink,
  addPackage,
  askWilling,
  getApplyment,
  getApplymentAccount,
  getDossier,
  getFillPage,
  getPackageFile,
  listApplymentLinks,
  listApplyments,
  listPackages,
  lookAtPackage,
  saveDossier,
  saveFillPage,
  setPackageState,
  tickAfter,
} from "../../contract/index.ts";
import { applyment } from "../index.ts";
import { type ApplymentWorld, openApplymentWorld } from "../testing/applyment-world.ts";

let world: ApplymentWorld;
beforeAll(async () => {
  world = await openApplymentWorld();
});
beforeEach(() => world.clean());
afterAll(() => world.close());

const outside = <E extends Endpoint>(endpoint: E, given: object): Promise<OutputOf<E>> =>
  world.askOutside(
    applyment.routes.find((one) => one.endpoint === endpoint)!,
    (endpoint.kind === "read" ? { params: given } : { body: given }) as never,
  ) as Promise<OutputOf<E>>;
const make = (login = "sp01") =>
  world.call(login, addPackage, { requestId: randomUUID(), merchantId: world.merchantId, channel: "alipay" });
const secrets = ["510104198506123436", "6222021234567890128", "13800009021", "wang@example.com", "王小明"];

/** The entries of a zip, by name. */
async function fetched(token: string): Promise<Map<string, Buffer>> {
  const { stream } = (await outside(getPackageFile, { token })) as { stream: AsyncIterable<Buffer> };
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  const zip = Buffer.concat(pieces);
  const files = new Map<string, Buffer>();
  let at = zip.indexOf("PK\x01\x02", 0, "latin1");
  while (at >= 0 && zip.readUInt32LE(at) === 0x02014b50) {
    const [packed, name, extra, note, from] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
      zip.readUInt32LE(at + 42),
    ];
    const start = from + 30 + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28);
    files.set(zip.subarray(at + 46, at + 46 + name).toString("utf8"), inflateRawSync(zip.subarray(start, start + packed)));
    at += 46 + name + extra + note;
  }
  return files;
}

test("a package holds the papers as they were, texts and pictures; each download is in the record and its address ends within a minute", async () => {
  await expect(make()).rejects.toMatchObject({ status: 409, code: "applyment.no-dossier" });
  await world.filled();
  const { id } = await make();
  const { versions } = await world.call("sp01", getDossier, { merchantId: world.merchantId });
  await world.call("sp01", saveDossier, {
    merchantId: world.merchantId,
    changes: [{ path: "business.shortName", value: "后来改的", version: versions["business.shortName"]! }],
  });
  const { url } = await world.call("sp01", lookAtPackage, { id });
  const token = url.split("/").at(-1)!;
  const files = await fetched(token);
  expect([...files.keys()].toSorted()).toEqual(
    ["资料.txt", "2-营业执照照片.jpg", "2-证件人像面照片.jpg", "2-证件国徽面或反面照片.jpg", "3-内部照片.jpg", "3-门头照片.jpg"].toSorted(),
  );
  const text = files.get("资料.txt")!.toString("utf8");
  for (const said of ["商户简称：蜀味川菜", "银行账号：6222021234567890128", "账户类型：经营者个人银行卡", "门头照片：见 3-门头照片.jpg"])
    expect(text).toContain(said);
  expect(files.get("3-门头照片.jpg")!.subarray(0, 2).toString("hex")).toBe("ffd8");
  const looked = (path: string) => world.owner("select 1 from audit_log where endpoint = $1", [path]);
  await fetched(token);
  expect(
    [await looked("/api/applyments/packages/look"), await looked("/api/applyments/package/:token")].map((rows) => rows.length),
  ).toEqual([1, 2]);
  world.services.clock.advance(61_000);
  await expect(fetched(token)).rejects.toMatchObject({ status: 404 });
  await expect(world.call("sp02", lookAtPackage, { id })).rejects.toMatchObject({ status: 404 });
  await expect(world.call("mch01", lookAtPackage, { id })).rejects.toMatchObject({ status: 403 });
});

test("its state goes by hand and only forward: with the number, or with the reason", async () => {
  await world.filled();
  const [{ id }, other] = [await make(), await make("agent01")];
  const set = (state: string, more: object = {}, of = id) =>
    world.call("sp01", setPackageState, { id: of, state: state as never, ...more });
  await expect(set("PASSED", { number: "2088" })).rejects.toMatchObject({ status: 409 });
  await set("SUBMITTED");
  await expect(set("PASSED")).rejects.toMatchObject({ status: 400 });
  await expect(set("REJECTED")).rejects.toMatchObject({ status: 400 });
  await set("PASSED", { number: "2088123456789012" });
  await expect(set("REJECTED", { reason: "x" })).rejects.toMatchObject({ status: 409 });
  await set("SUBMITTED", {}, other.id);
  await set("REJECTED", { reason: "执照看不清" }, other.id);
  const { items } = await world.call("sp01", listPackages, { merchantId: world.merchantId });
  expect(items.map(({ state, number, reason }) => `${state} ${number}${reason}`).toSorted()).toEqual([
    "PASSED 2088123456789012",
    "REJECTED 执照看不清",
  ]);
});

/** Whatever the room would write next is refused by the database, which tells the values of the row. */
async function refused(what: () => Promise<unknown>): Promise<void> {
  const tables = ["applyment_events", "applyment_calls", "applyments"];
  for (const table of tables) await world.owner(`alter table ${table} add constraint refused check (false) not valid`);
  await what().catch((error: unknown) => world.services.log.error({ err: error }, "fault"));
  for (const table of tables) await world.owner(`alter table ${table} drop constraint refused`);
}

test("no name, id number, card, phone or key stands plain in anything that the whole way wrote: tables, lists, messages, pushes, records, logs", async () => {
  const { merchantId, account } = world;
  const log = keepLog(world.services);
  await world.owner(
    `insert into push_endpoints (service_provider_id, id, name, url, events, secret_sealed, by_name, created_at, updated_at)
      select service_provider_id, $2, 'ERP', 'https://erp.example.com', array['applyment.changed'], '-', '-', now(), now() from merchants where id = $1`,
    [merchantId, randomUUID()],
  );
  await world.filled({ "business.shortName": "驳回小店" });
  await world.call("sp01", addApplymentLink, {
    requestId: randomUUID(),
    merchantId,
    steps: [3, 5],
    days: 3,
  });
  const { items } = await world.call("sp01", listApplymentLinks, { merchantId });
  const token = items[0]!.url!.split("/").at(-1)!;
  await refused(() => world.submit());
  const id = await world.submit();
  await refused(() => world.sweep("chase-applyments"));
  await world.until("REJECTED");
  const page = await outside(getFillPage, { token });
  const change = (path: string, value: string | string[]) => ({ path, value, version: page.versions[path] ?? 0 });
  const { id: file } = await world.call("sp01", addApplymentFile, { merchantId, base64: await photoForTests() });
  const saved = await outside(saveFillPage, {
    token,
    changes: [change("business.shortName", "验证小店"), change("account.number", "6217001234567890120"), change("store.indoor", [file])],
  });
  await world.submit();
  const { code } = await world.until("TO_BE_CONFIRMED");
  const act = (what: string) => world.simulator.control("POST applyment", { code: code!, act: what });
  world.services.clock.advance(86_400_000);
  await world.sweep("remind-of-applyments");
  await act("confirm");
  await world.until("TO_BE_SIGNED");
  await act("sign");
  await world.until("FINISHED");
  await world.call("sp01", askWilling, { id });
  await world.call("sp01", tickAfter, { id, thing: "rate", done: true });
  const made = await make();
  const looked = await world.call("sp01", lookAtPackage, { id: made.id });
  await fetched(looked.url.split("/").at(-1)!);
  const pushed = await world.owner<{ body: string }>("select body from push_events where type = 'applyment.changed' order by version");
  expect(pushed.map(({ body }) => (JSON.parse(body) as { data: { state: string } }).data.state)).toEqual([
    "AUDITING",
    "REJECTED",
    "AUDITING",
    "TO_BE_CONFIRMED",
    "TO_BE_SIGNED",
    "FINISHED",
  ]);
  const plain = [...secrets, "6217001234567890120", account.apiV3Key, account.privateKeyPem.split("\n")[3]!];
  expect(await plainInTables(world.owner, plain)).toEqual([]);
  const lines = log.lines();
  log.end();
  // It was refused, and the log says by what and not of which row.
  expect([lines.includes("refused"), plain.filter((secret) => lines.includes(secret)), lines.includes("Failing row")]).toEqual([
    true,
    [],
    false,
  ]);
  const told = JSON.stringify([
    page,
    saved,
    await world.call("sp01", listApplyments, {}),
    await world.call("mch01", getApplyment, { id }),
    await world.call("sp01", getDossier, { merchantId }),
    await world.call("sp01", getApplymentAccount, {}),
    await world.call("sp01", listApplymentLinks, { merchantId }),
    await world.call("sp01", listPackages, { merchantId }),
  ]);
  expect(plain.filter((secret) => told.includes(secret))).toEqual([]);
});
