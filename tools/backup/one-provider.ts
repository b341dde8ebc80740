import type { RawBuilder } from "kysely";
import { personOf } from "@zhangfang/domains/members/server/index.ts";
import { domains } from "../../apps/server/domains.ts";
import type { Config } from "@zhangfang/server/config.ts";
import type { SnapshotFile } from "@zhangfang/server/snapshot.ts";
import type { Manifest } from "@zhangfang/server/snapshot/archive.ts";
import { writeProviderData } from "@zhangfang/server/snapshot/provider-data.ts";
import { restoreProvider, type Rooms } from "@zhangfang/server/snapshot/restore-provider.ts";
import { type ProviderPlace, saveProvider } from "@zhangfang/server/snapshot/save-provider.ts";
import { secretMark } from "./place.ts";

/** Keys of the files that rows name, by domain. */
export const kept: readonly RawBuilder<unknown>[] = domains.flatMap(({ keptFiles }) => keptFiles ?? []);

/** Writes one provider into a file. */
export const save = (place: ProviderPlace, config: Config, file: SnapshotFile, who: string, now_ms?: number): Promise<Manifest> =>
  saveProvider(place, file, who, kept, {
    secret_mark: secretMark(config),
    ...(now_ms !== undefined && { created_at: new Date(now_ms).toISOString() }),
  });

const rooms: Rooms = {
  kept,
  async verify(tx, now_ms) {
    const wrong: unknown[] = [];
    for (const { verify } of domains) if (verify) wrong.push(...(await verify.run(tx, now_ms)));
    return wrong;
  },
  async holdBack(tx, provider) {
    for (const { holdBack } of domains) await holdBack?.(tx, provider);
  },
};
/** Brings it into another installation, where every book that is read each night must be in order. */
export const restore = (place: ProviderPlace, config: Config, file: SnapshotFile): Promise<Manifest> =>
  restoreProvider(place, file, secretMark(config), rooms);

/** Writes its data for others to read; the names and phones of its members are its own. */
export const data = (place: ProviderPlace, config: Config, folder: string, who: string): ReturnType<typeof writeProviderData> =>
  writeProviderData(place, folder, who, kept, { members: (row) => personOf({ config }, row as never) });
