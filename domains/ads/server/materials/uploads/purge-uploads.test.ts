import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../../../accounts/server/world-for-tests.ts";
import { purgeUploads } from "./purge-uploads.ts";

let world: World;
beforeAll(async () => void (world = await openWorld([])));
afterAll(() => world.close());

test("nothing that is due stays, however much there is; what still goes on does", async () => {
  const at = (hours: number) => new Date(world.services.clock.now_ms() + hours * 3_600_000).toISOString();
  const plant = (count: number, expires: string) =>
    world.truth(
      `insert into ad_uploads (service_provider_id, id, owner_user_id, file_name, size_bytes, piece_count, status, created_at, expires_at, content_type, sha256)
       select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), gen_random_uuid(), 'x.png', 10, 1, 'uploading', $2, $3, 'image/png', repeat('0', 64) from generate_series(1, $1)`,
      [count, at(-48), expires],
    );
  await plant(450, at(-1));
  await plant(3, at(1));
  await purgeUploads.run(world.services, {});
  expect(await world.truth("select count(*)::int as n from ad_uploads")).toEqual([{ n: 3 }]);
});
