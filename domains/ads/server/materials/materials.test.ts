import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { box, smallFilm } from "../../../../apps/demo/ads/small-film.ts";
import { png } from "../../../../apps/demo/ads/small-png.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  addUploadPiece,
  auditMaterials,
  cancelUpload,
  getMaterialById,
  getMaterials,
  listUploads,
  MATERIAL_PIECE_BYTES,
  queryMaterialAuditStatus,
  removeMaterials,
  renameMaterial,
  renewUpload,
  startUpload,
  summariseMaterials,
  uploadCallback,
} from "../../contract/index.ts";
import { nodeOf, plantAd } from "../ads-for-tests.ts";
import { sendPieces, sha256Of, uploadMaterial } from "./materials-for-tests.ts";
import { materialRoutes } from "./routes.ts";

let world: World;
const tokens: Record<string, string> = {};
/** A person's token; a second goes by before each thing that is done. */
function t(login: string): string {
  world.services.clock.advance(1_000);
  return tokens[login]!;
}
beforeAll(async () => {
  world = await openWorld(materialRoutes);
  for (const login of ["admin", "sp01", "sp02", "mch01"]) tokens[login] = await world.signIn(login);
});
afterAll(() => world.close());

let shade = 0;
const picture = (...more: [string, Buffer][]): Buffer => png(40 + ++shade, 30, [shade, 80, 160], ...more);
const film = (seconds = 2): Buffer => smallFilm({ width: 32, height: 16, seconds }, (x) => [60 + ((x + ++shade) % 100), 120, 130]);
const kept = async (id: string): Promise<Buffer> => {
  const [row] = await world.truth<{ file_key: string }>("select file_key from ad_materials where id = $1", [id]);
  return buffer((await openFiles(world.services.config).read(row!.file_key)).stream);
};
const add = (login = "sp01", bytes = picture()) => uploadMaterial(world, t(login), bytes, "image/png");
const audit = (ids: readonly { material_id: string; sha256: string }[], audit_status: 1 | 2 | 3, reason?: string) =>
  world.call(auditMaterials, t("admin"), { items: ids.map(({ material_id, sha256 }) => ({ material_id, sha256 })), audit_status, reason });

test("a picture is looked into, kept as what draws it, and waits for the level above; its owner and the platform see it", async () => {
  const bytes = picture(["tEXt", Buffer.from("Comment\0here I live: 30.66, 104.06")]);
  const { material_id, sha256, name } = await uploadMaterial(world, t("sp01"), bytes, "image/png", { name: "春日 海报.png" });
  const found = await world.call(getMaterialById, t("sp01"), { material_id });
  expect(found).toMatchObject({
    name: "春日 海报",
    kind: 1,
    contentType: "image/webp",
    height: 30,
    audit_status: 0,
    ownerName: expect.stringMatching(/./),
    ads: 0,
  });
  expect(name).toBe("春日 海报");
  const inside = await kept(material_id);
  expect(inside.includes("here I live")).toBe(false);
  expect([sha256Of(inside), inside.length]).toEqual([sha256, found.sizeBytes]);
  expect(found.audits).toMatchObject([{ status: 0, sha256 }]);
  expect((await world.call(getMaterials, t("admin"), { keyword: "海报" })).items.map(({ id }) => id)).toContain(material_id);
  expect((await world.call(getMaterials, t("sp02"), {})).items).toEqual([]);
  expect((await world.refused(getMaterialById, t("sp02"), { material_id })).status).toBe(404);
  expect((await world.refused(queryMaterialAuditStatus, t("sp02"), { material_id })).status).toBe(404);
  expect((await world.refused(getMaterials, t("mch01"), {})).status).toBe(403);
});

test("a film is kept as it plays: its length and size are read, and where it was taken is wiped without moving anything", async () => {
  const plain = film(3);
  // The remark goes behind everything, as phones write it, and one inside the head.
  const where = box("udta", box("\u00a9xyz", Buffer.from("\0\0\0\0+30.6600+104.0600/")));
  const bytes = Buffer.concat([plain, where]);
  const { material_id } = await uploadMaterial(world, t("sp01"), bytes, "video/mp4");
  expect(await world.call(getMaterialById, t("sp01"), { material_id })).toMatchObject({
    kind: 2,
    width: 32,
    height: 16,
    durationMs: 3_000,
    sizeBytes: bytes.length,
  });
  const inside = await kept(material_id);
  expect(inside.subarray(0, plain.length).equals(plain)).toBe(true);
  expect(inside.includes("104.06")).toBe(false);
  expect(inside.toString("latin1", plain.length + 4, plain.length + 8)).toBe("free");
});

test("the same file again is known before it is sent, by its name here, and after it was cleaned", async () => {
  const bytes = picture(["tEXt", Buffer.from("Comment\0one")]);
  const { material_id, name } = await add("sp01", bytes);
  const again = (login: string, of: Buffer) =>
    world.call(startUpload, t(login), { fileName: "b.png", sizeBytes: of.length, contentType: "image/png", sha256: sha256Of(of) });
  expect(await again("sp01", bytes)).toEqual({ known: { material_id, name }, upload: null });
  expect(await again("sp01", await kept(material_id))).toEqual({ known: { material_id, name }, upload: null });
  expect((await again("sp02", bytes)).known).toBeNull();
  // With another remark it is another file, and the same picture.
  const remark = Buffer.concat([bytes.subarray(0, -12)]);
  expect(remark.length).toBeGreaterThan(0);
  const twin = png(40 + shade, 30, [shade, 80, 160], ["tEXt", Buffer.from("Comment\0two")]);
  const { policy } = await sendPieces(world, t("sp01"), twin, "image/png");
  expect((await world.refused(uploadCallback, t("sp01"), { policy })).message).toBe(`内容与素材「${name}」相同`);
});

test("an upload goes on where it was cut off, also after the page was loaded anew, and its pieces are gone when it is over", async () => {
  const bytes = Buffer.concat([film(1), box("free", Buffer.alloc(MATERIAL_PIECE_BYTES * 3))]);
  const first = await sendPieces(world, t("sp01"), bytes, "video/mp4", { pieces: 2 });
  expect((await world.refused(uploadCallback, t("sp01"), { policy: first.policy })).message).toBe("文件还没有传完");
  expect(await world.call(listUploads, t("sp01"), {})).toMatchObject([{ id: first.id, doneBytes: 2 * MATERIAL_PIECE_BYTES }]);
  expect((await world.call(listUploads, t("sp02"), {})).map(({ id }) => id)).not.toContain(first.id);
  const second = await sendPieces(world, t("sp01"), bytes, "video/mp4", { pieces: 2 });
  expect([second.id, second.pieces]).toEqual([first.id, 2]);
  const { policy } = await sendPieces(world, t("sp01"), bytes, "video/mp4");
  const done = await world.call(uploadCallback, t("sp01"), { policy });
  // Told twice, it is one material.
  expect(await world.call(uploadCallback, t("sp01"), { policy })).toEqual(done);
  expect(await world.call(listUploads, t("sp01"), {})).toEqual([]);
  world.services.clock.advance(700_000);
  await world.services.runJobs();
  await expect(openFiles(world.services.config).read(`ad-${first.id}-0`)).rejects.toThrow("ENOENT");
  expect((await kept(done.material_id)).length).toBe(bytes.length);
});

test("what has come whole is not written over while it is looked into, and what is on its way counts into the owner's space", async () => {
  const bytes = picture();
  const { policy } = await sendPieces(world, t("sp01"), bytes, "image/png");
  const other = Buffer.alloc(bytes.length, 7).toString("base64");
  expect(await world.call(addUploadPiece, t("sp01"), { policy, place: 0, base64: other })).toEqual({ pieces: 1 });
  const { material_id } = await world.call(uploadCallback, t("sp01"), { policy });
  expect(await kept(material_id)).toSatisfy((own: Buffer) => own.subarray(8, 12).toString() === "WEBP");
  await world.truth("delete from ad_uploads where owner_user_id = (select id from users where login = 'sp02')");
  const film50 = (n: number) => ({
    fileName: "a.mp4",
    sizeBytes: 50 * 1024 ** 2,
    contentType: "video/mp4" as const,
    sha256: sha256Of(Buffer.from(`film ${n}`)),
  });
  const starts = Array.from({ length: 60 }, (_, n) => world.call(startUpload, t("sp02"), film50(n)));
  const begun = await Promise.allSettled(starts);
  expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
  // One of them goes on all the same.
  const first = begun.findIndex(({ status }) => status === "fulfilled");
  expect((await world.call(startUpload, t("sp02"), film50(first))).upload).not.toBeNull();
  await world.truth(
    "update ad_uploads set size_bytes = 20::bigint * 1024 * 1024 * 1024 where owner_user_id = (select id from users where login = 'sp02') and sha256 <> $1",
    [film50(first).sha256],
  );
  await world.truth("delete from ad_uploads where sha256 = $1", [film50(first).sha256]);
  expect((await world.refused(startUpload, t("sp02"), film50(100))).message).toBe("素材空间已满（20 GB），请删除不用的素材");
  await world.truth("delete from ad_uploads where owner_user_id = (select id from users where login = 'sp02')");
});

test("a film whose head is full of empty boxes is refused, not counted through", async () => {
  const plain = film(1);
  const at = plain.indexOf("moov") - 4;
  const moov = plain.subarray(at, at + plain.readUInt32BE(at));
  const trak = moov.subarray(moov.indexOf("trak") - 4);
  const full = Array.from({ length: 60 }, () => box("edts", ...Array.from({ length: 60 }, () => box("elst"))));
  const head = box("moov", moov.subarray(8, moov.length - trak.length), box("trak", trak.subarray(8), ...full));
  const bytes = Buffer.concat([plain.subarray(0, at), box("free", moov.subarray(8)), plain.subarray(at + moov.length), head]);
  const { policy } = await sendPieces(world, t("sp01"), bytes, "video/mp4");
  expect((await world.refused(uploadCallback, t("sp01"), { policy })).message).toBe("视频文件不完整或已损坏，请重新导出");
});

test("U1: only what our own start signed for this caller, this size and these ten minutes is taken", async () => {
  const bytes = picture();
  const { id, policy } = await sendPieces(world, t("sp01"), bytes, "image/png");
  const [name = "", until = "", sign = ""] = policy.split(".");
  const later = (Number.parseInt(until, 36) + 60_000).toString(36);
  const forged = [
    "",
    "x",
    name,
    `${name}.${until}`,
    `${name}.${until}.`,
    `${name}.${later}.${sign}`,
    `${randomUUID()}.${until}.${sign}`,
    `${name}.${until}.${sign.slice(0, -1)}${sign.endsWith("A") ? "B" : "A"}`,
    `${name}.${until}.${sign}.more`.replace(/\.more$/, "=="),
    `${name}.-1.${sign}`,
    `../../etc.${until}.${sign}`,
  ];
  for (const wrong of forged)
    expect([wrong, (await world.refused(uploadCallback, t("sp01"), { policy: wrong })).code]).toEqual([wrong, "upload.policy"]);
  for (const login of ["sp02", "admin"]) {
    expect((await world.refused(uploadCallback, t(login), { policy })).code).toBe("upload.policy");
    expect((await world.refused(addUploadPiece, t(login), { policy, place: 0, base64: "AAAA" })).code).toBe("upload.policy");
    expect((await world.refused(renewUpload, t(login), { id })).status).toBe(404);
    expect((await world.refused(cancelUpload, t(login), { id })).status).toBe(404);
  }
  // Another size than was signed: a byte more, a byte less, a piece behind the end.
  const fresh = picture();
  const { upload } = await world.call(startUpload, t("sp01"), {
    fileName: "a.png",
    sizeBytes: fresh.length,
    contentType: "image/png",
    sha256: sha256Of(fresh),
  });
  for (const other of [Buffer.concat([fresh, Buffer.from([0])]), fresh.subarray(1)])
    expect(
      (await world.refused(addUploadPiece, t("sp01"), { policy: upload!.policy, place: 0, base64: other.toString("base64") })).message,
    ).toBe("分片大小与文件不符");
  expect((await world.refused(addUploadPiece, t("sp01"), { policy: upload!.policy, place: 1, base64: "AAAA" })).message).toMatch(/分片/);
  // The size is right and the content is not what was said.
  await world.call(addUploadPiece, t("sp01"), {
    policy: upload!.policy,
    place: 0,
    base64: bytes.length === fresh.length ? bytes.toString("base64") : Buffer.alloc(fresh.length, 7).toString("base64"),
  });
  expect((await world.refused(uploadCallback, t("sp01"), { policy: upload!.policy })).code).toBe("material.content");
  // Its time is over; whoever it is of may have it signed anew.
  world.services.clock.advance(600_000);
  expect((await world.refused(uploadCallback, t("sp01"), { policy })).code).toBe("upload.expired");
  const renewed = await world.call(renewUpload, t("sp01"), { id });
  expect(await world.call(uploadCallback, t("sp01"), { policy: renewed.policy })).toMatchObject({ audit_status: 0 });
});

test("a cancelled upload takes nothing more", async () => {
  const { id, policy } = await sendPieces(world, t("sp01"), picture(), "image/png");
  await world.call(cancelUpload, t("sp01"), { id });
  expect((await world.refused(uploadCallback, t("sp01"), { policy })).message).toBe("上传已经结束");
  expect((await world.refused(renewUpload, t("sp01"), { id })).message).toBe("上传已经结束");
});

test("the platform says what passed: with a reason where it does not, of the content that was looked at, and the owner is told", async () => {
  const [one, two, three] = [await add(), await add(), await add()];
  expect((await world.refused(auditMaterials, t("sp01"), { items: [one], audit_status: 1 })).status).toBe(403);
  expect(
    (await world.refused(auditMaterials, t("admin"), { items: [{ material_id: one.material_id, sha256: one.sha256 }], audit_status: 3 }))
      .message,
  ).toBe("请填写原因");
  expect(await audit([one, two], 1)).toEqual({ changed: 2, left: [] });
  expect(await audit([three], 2, "字太小")).toMatchObject({ changed: 1 });
  expect(await audit([three], 3, "含有竞品标志")).toMatchObject({ changed: 1 });
  // Passed stays passed; many at once go as far as they can, and what did not go is named.
  const fourth = await add();
  const mixed = await audit([one, { ...fourth, sha256: sha256Of(Buffer.from("other")) }, three].concat(await add()), 3, "试");
  expect(mixed).toMatchObject({ changed: 1 });
  expect(mixed.left.map(({ why }) => why.replace(/「.*」/, "")).toSorted()).toEqual(
    ["素材已拒绝，不能再审核", "素材已通过，不能再审核", "素材的内容已经更换，请重新查看"].toSorted(),
  );
  expect(
    (
      await world.refused(auditMaterials, t("admin"), {
        items: [{ ...one, material_id: randomUUID() }].map(({ material_id, sha256 }) => ({ material_id, sha256 })),
        audit_status: 1,
      })
    ).status,
  ).toBe(404);
  const seen = await world.call(getMaterialById, t("sp01"), { material_id: three.material_id });
  expect(seen.audits.map(({ status, reason }) => [status, reason])).toEqual([
    [3, "含有竞品标志"],
    [2, "字太小"],
    [0, null],
  ]);
  expect(seen).toMatchObject({ audit_status: 3, reason: "含有竞品标志", auditedBy: expect.any(String) });
  const told = await world.truth<{ title: string }>(
    "select m.title from messages m join users u on u.id = m.owner_user_id where m.kind = 'material' and u.login = 'sp01' order by m.created_at",
  );
  expect(told.map(({ title }) => title).slice(0, 2)).toEqual(["2 个素材审核已通过", expect.stringMatching(/结果不确定$/)]);
});

test("another content is looked at anew: what passed counts for it no more, and the devices that show it look again", async () => {
  const sp01 = world.tree.providers.sp01;
  const one = await add();
  await audit([one], 1);
  const ad = await plantAd(world, { owner: sp01, targets: [nodeOf(world, "mch01")], pictures: 1 });
  await world.truth("update ad_items set material_id = $1 where ad_id = $2", [one.material_id, ad.id]);
  const version = async () =>
    (await world.truth<{ v: string }>("select coalesce(sum(version), 0)::text as v from config_versions where namespace = 'ad'"))[0]!.v;
  const before = await version();
  expect(
    (
      await world.refused(startUpload, t("sp02"), {
        fileName: "a.png",
        sizeBytes: 9,
        contentType: "image/png",
        sha256: sha256Of(Buffer.from("x")),
        material_id: one.material_id,
      })
    ).status,
  ).toBe(404);
  expect(
    (
      await world.refused(startUpload, t("sp01"), {
        fileName: "a.mp4",
        sizeBytes: 9,
        contentType: "video/mp4",
        sha256: sha256Of(Buffer.from("x")),
        material_id: one.material_id,
      })
    ).message,
  ).toMatch(/图片只能换成图片/);
  const replaced = await uploadMaterial(world, t("sp01"), picture(), "image/png", { material_id: one.material_id });
  expect(replaced).toMatchObject({ material_id: one.material_id, audit_status: 0 });
  expect(replaced.sha256).not.toBe(one.sha256);
  expect(await version()).not.toBe(before);
  // The word for the one before does not let this one through.
  expect(
    (await world.refused(auditMaterials, t("admin"), { items: [{ material_id: one.material_id, sha256: one.sha256 }], audit_status: 1 }))
      .message,
  ).toMatch(/内容已经更换/);
  const woken = await version();
  await audit([replaced], 1);
  expect(await version()).not.toBe(woken);
  const [row] = await world.truth("select status, approved_sha256 = sha256 as same from ad_materials where id = $1", [one.material_id]);
  expect(row).toEqual({ status: 1, same: true });
  // Shown by an enabled ad, it stays; paused, it may go, with its files.
  expect((await world.refused(removeMaterials, t("sp01"), { material_ids: [one.material_id] })).message).toMatch(
    /正在广告「新品上市」中播放/,
  );
  expect(await world.call(getMaterialById, t("sp01"), { material_id: one.material_id })).toMatchObject({
    ads: 1,
    enabledAds: 1,
    usedBy: [{ ad_id: ad.id, status: 1 }],
  });
  await world.truth("update ads set status = 0 where id = $1", [ad.id]);
  expect(await world.call(removeMaterials, t("sp01"), { material_ids: [one.material_id] })).toEqual({ removed: 1 });
  expect((await world.refused(getMaterialById, t("sp01"), { material_id: one.material_id })).status).toBe(404);
  world.services.clock.advance(700_000);
  await world.services.runJobs();
  await expect(kept(one.material_id)).rejects.toThrow("ENOENT");
});

test("a name is changed by whoever saw the last one, and the sums follow the filter", async () => {
  const one = await add("admin");
  const { revision } = await world.call(getMaterialById, t("admin"), { material_id: one.material_id });
  await world.call(renameMaterial, t("admin"), { material_id: one.material_id, name: "平台公告", revision });
  expect((await world.refused(renameMaterial, t("admin"), { material_id: one.material_id, name: "乙", revision })).status).toBe(409);
  expect((await world.refused(renameMaterial, t("sp01"), { material_id: one.material_id, name: "乙", revision: 2 })).status).toBe(404);
  const sums = await world.call(summariseMaterials, t("admin"), { keyword: "平台公告" });
  expect(sums).toMatchObject({ count: 1, byStatus: { 0: 1 } });
  const list = await world.call(getMaterials, t("admin"), { keyword: "平台公告", audit_status: 0, kind: 1, withTotal: true });
  expect(list).toMatchObject({ total: { count: 1 }, items: [{ ownerName: "平台", name: "平台公告" }] });
});

test("where the answer to the commit is lost, the file of the material that stands is there", async () => {
  const { policy } = await sendPieces(world, t("sp01"), picture(), "image/png");
  const { pool } = world.services;
  let lost = false;
  const connect = pool.connect.bind(pool);
  pool.connect = (async () => {
    const client = await connect();
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    let wrote = false;
    client.query = (async (...given: unknown[]) => {
      const text = JSON.stringify(given[0]);
      const done = await query(...given);
      if (text === '"commit"' && wrote && !lost) {
        lost = true;
        throw new Error("Connection terminated unexpectedly");
      }
      wrote = text.includes("begin") ? false : wrote || text.includes('insert into \\"ad_materials\\"');
      return done;
    }) as never;
    return client;
  }) as never;
  await expect(world.call(uploadCallback, tokens["sp01"], { policy })).rejects.toThrow("terminated");
  pool.connect = connect as never;
  const { material_id } = await world.call(uploadCallback, tokens["sp01"], { policy });
  expect((await kept(material_id)).length).toBeGreaterThan(0);
});

test("many callbacks of one upload write one copy of it, not one each", async () => {
  const [red = 0, green = 0, blue = 0] = randomBytes(3);
  const { policy } = await sendPieces(world, t("sp01"), png(77, 31, [red, green, blue]), "image/png");
  const taken = await Promise.all(Array.from({ length: 8 }, () => world.call(uploadCallback, tokens["sp01"], { policy })));
  // Other tests have their files in the same folder; a piece has its place behind the number.
  const folder = join(world.services.config.data_dir, "files");
  const names = (await readdir(folder, { recursive: true })).filter((name) => /ad-[0-9a-f-]{36}$/.test(name));
  const sums = await Promise.all(names.map((name) => readFile(join(folder, name)).then(sha256Of, () => "gone")));
  expect([new Set(taken.map(({ material_id }) => material_id)).size, sums.filter((sum) => sum === taken[0]?.sha256).length]).toEqual([
    1, 1,
  ]);
});

test("two say different things of one content at once: one of them counts, and so do two callbacks of one upload", async () => {
  for (let round = 0; round < 5; round++) {
    const one = await add();
    const words = await Promise.allSettled([audit([one], 1), audit([one], 3, "晚了一步")]);
    expect(words.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { policy } = await sendPieces(world, t("sp01"), picture(), "image/png");
    const taken = await Promise.allSettled([1, 2, 3].map(() => world.call(uploadCallback, tokens["sp01"], { policy })));
    const ids = taken.flatMap((each) => (each.status === "fulfilled" ? [each.value.material_id] : []));
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  }
});
