// npm run restore -- 文件 --verify | --into-empty | --replace
import { readConfig, derivedKey } from "@zhangfang/server/config.ts";
import { prepareJobs } from "@zhangfang/server/jobs/jobs.ts";
import { migrate } from "@zhangfang/server/database/migrate.ts";
import { type PrepareSchema, replaceBySnapshot, restoreSnapshot, verifySnapshot } from "@zhangfang/server/snapshot.ts";
import { StartError } from "@zhangfang/server/start-error.ts";
import { secretMark, snapshotFile, summary, told, withPlace } from "./place.ts";

const USAGE = `用法：npm run restore -- 备份文件 加上下面之一
  --verify      只核对文件，不动数据库
  --into-empty  恢复到还没有任何表的数据库
  --replace     替换现有的数据库和文件（先停止服务；核对无误后才替换）`;

async function restore([given, mode]: readonly string[]): Promise<void> {
  if (!given || !["--verify", "--into-empty", "--replace"].includes(mode ?? "")) throw new StartError(USAGE);
  const file = snapshotFile(given);
  if (mode === "--verify") {
    process.stdout.write(`备份完好：${summary(await verifySnapshot(file))}\n`);
    return;
  }
  const config = readConfig();
  const prepare: PrepareSchema = async (owner, migrations) => {
    await migrate(owner, derivedKey(config.secret, "runtime-role").toString("hex"), migrations);
    await prepareJobs(owner, []);
  };
  const bring = mode === "--replace" ? replaceBySnapshot : restoreSnapshot;
  const manifest = await withPlace(config, true, (place) => bring(place, file, prepare));
  process.stdout.write(`恢复完成并已逐表核对：${summary(manifest)}\n`);
  if (manifest.secret_mark !== secretMark(config)) {
    process.stdout.write("注意：现在的密钥（ZHANGFANG_SECRET 或 secret.key）不是备份时的那个，加密的字段要换回原来的密钥才能打开\n");
  }
}

restore(process.argv.slice(2)).catch(told);
