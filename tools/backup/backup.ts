// npm run backup [-- 文件]: one file with the whole database and its files, while the service runs or not.
// ZHANGFANG_BACKUP_KEY encrypts it. The secret (ZHANGFANG_SECRET or secret.key) is not in it and is kept elsewhere.
import { join, resolve } from "node:path";
import { readConfig } from "@zhangfang/server/config.ts";
import { writeSnapshot } from "@zhangfang/server/snapshot.ts";
import { secretMark, snapshotFile, summary, told, withPlace } from "./place.ts";

async function backup(): Promise<void> {
  const config = readConfig();
  const created_at = new Date().toISOString();
  const name = `zhangfang-${created_at.slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}.backup`;
  const file = snapshotFile(process.argv[2] ?? resolve(config.data_dir, join("backups", name)));
  const manifest = await withPlace(config, false, (place) => writeSnapshot(place, file, { created_at, secret_mark: secretMark(config) }));
  process.stdout.write(
    `备份完成并已核对：${file.path}\n${summary(manifest)}${file.key ? "，已加密" : "，未加密（设置 ZHANGFANG_BACKUP_KEY 可加密）"}\n`,
  );
}

backup().catch(told);
