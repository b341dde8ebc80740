import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyDatabase, type TestDatabase } from "../testing/test-cluster.ts";

const [A, B] = ["0190b0a0-0000-7000-8000-00000000000a", "0190b0a0-0000-7000-8000-00000000000b"];
let database: TestDatabase;
let one: pg.Client;
let other: pg.Client;
beforeAll(async () => {
  database = await copyDatabase();
  [one, other] = [new pg.Client(database.ownerConnection), new pg.Client(database.ownerConnection)];
  await Promise.all([one.connect(), other.connect()]);
  // Where a device stands is not what is tried here.
  await one.query(`insert into service_providers (id, number, name, short_name) values ('${A}', '1', 'a', 'a'), ('${B}', '2', 'b', 'b');
    alter table devices drop constraint devices_service_provider_id_merchant_id_store_id_fkey`);
});
afterAll(async () => {
  await Promise.all([one.end(), other.end()]);
  await database.drop();
});

const device = (provider: string, sn: string) =>
  `insert into devices (service_provider_id, id, merchant_id, store_id, sn, model, name, key_sealed)
   values ('${provider}', gen_random_uuid(), '${provider}', '${provider}', '${sn}', 'm', 'n', 'k')`;
const namesOf = async (kind: string) =>
  (await one.query<{ name: string }>("select name from directory_names where kind = $1 order by name", [kind])).rows.map((row) => row.name);

test("a device number is one provider's, until the device is retired", async () => {
  await one.query(device(A, "SN1"));
  await expect(one.query(device(B, "SN1"))).rejects.toMatchObject({ code: "23505" });
  await expect(one.query(device(A, "SN1"))).rejects.toMatchObject({ code: "23505" });
  // What changes at a device all day does not touch its name.
  await one.query("update devices set state = 'disabled', name = 'x' where sn = 'SN1'");
  expect(await namesOf("device")).toEqual(["SN1"]);
  await one.query("update devices set state = 'retired' where sn = 'SN1'");
  expect(await namesOf("device")).toEqual([]);
  await one.query(device(B, "SN1"));
  await expect(one.query(`update devices set state = 'active' where service_provider_id = '${A}'`)).rejects.toMatchObject({
    code: "23505",
  });
  await one.query(`delete from devices where service_provider_id = '${B}'`);
  expect(await namesOf("device")).toEqual([]);
  await one.query(device(B, "SN2"));
  await one.query("truncate devices cascade");
  expect(await namesOf("device")).toEqual([]);
});

test("of two who claim a name at once the second waits, and has it only where the first gives up", async () => {
  for (const end of ["commit", "rollback"] as const) {
    await one.query(`begin; ${device(A, `SN-${end}`)}`);
    const second = other.query(device(B, `SN-${end}`)).then(
      () => "has it",
      (error: { code: string }) => error.code,
    );
    await one.query(end);
    expect(await second).toBe(end === "commit" ? "23505" : "has it");
  }
});

test("a provider's number is its own, and its old one is free once it has another", async () => {
  await expect(one.query(`update service_providers set number = '2' where id = '${A}'`)).rejects.toMatchObject({ code: "23505" });
  await one.query(`update service_providers set number = '3' where id = '${A}'`);
  expect(await namesOf("provider")).toEqual(["2", "3"]);
  await one.query(`update service_providers set number = '1' where id = '${B}'`);
  expect(await namesOf("provider")).toEqual(["1", "3"]);
});
