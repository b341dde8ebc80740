// npm run provider -- save | restore | data: one service provider into a folder, from there into another installation, or as files to read.
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { derivedKey, readConfig } from "@zhangfang/server/config.ts";
import { migrate } from "@zhangfang/server/database/migrate.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { prepareJobs } from "@zhangfang/server/jobs/jobs.ts";
import { verifySnapshot, withClient } from "@zhangfang/server/snapshot.ts";
import { tablesOf } from "@zhangfang/server/snapshot/tables.ts";
import { StartError } from "@zhangfang/server/start-error.ts";
import { data, restore, save } from "./one-provider.ts";
import { snapshotFile, summary, told, withPlace } from "./place.ts";

const USAGE = `用法：
  npm run provider -- save --provider 编号或ID --to 文件夹     保存一个服务商（行、文件、账本合计），服务可以照常运行
  npm run provider -- restore --from 文件夹 --old-place-stopped  恢复到没有这个服务商的另一套系统，核对无误才保留；
      --old-place-stopped 表示：原来的系统在保存之前已经停止，并且不会再启动
  npm run provider -- data --provider 编号或ID --to 文件夹     写出可以阅读的数据（CSV 和文件），不含密码和密钥`;

/** Two places with the same keys each give numbers of their own: the channel cannot know that they mean the same. */
const OLD_PLACE = `没有恢复：请先停止原来的系统，再保存、再恢复，并加上 --old-place-stopped
它的意思是：我确认原来的系统在保存之前已经停止处理这个服务商，而且不会再启动。
两套系统拿着同样的通道密钥，会各自编号：同一笔付款可能分账两次、退款两次，真金白银付给别人两次；微信的令牌也会互相作废。
演练请不要用正式的通道：恢复的地方必须连不到通道。`;

async function provider(): Promise<void> {
  const { verb, who, folder, stopped, files_missing } = asked();
  if (verb === "restore" && !stopped) throw new StartError(OLD_PLACE);
  const config = readConfig();
  const file = snapshotFile(`${folder}/provider.backup`);
  const files = openFiles(config);
  if (verb === "data") {
    const { number, name, tables, missing } = await withPlace(config, false, ({ owner }) =>
      data({ owner, files, files_missing }, config, dirname(file.path), who),
    );
    process.stdout.write(
      `服务商 ${number} ${name} 的数据已写出：${dirname(file.path)}\n${tables.length} 张表；其中有个人信息，请妥善保管${notThere(missing)}\n`,
    );
    return;
  }
  if (verb === "save") {
    const manifest = await withPlace(config, false, ({ owner }) => save({ owner, files, files_missing }, config, file, who));
    process.stdout.write(
      `服务商 ${manifest.provider?.number} ${manifest.provider?.name} 已保存并已核对：${file.path}\n${summary(manifest)}${notThere(manifest.provider?.files_missing.length)}\n`,
    );
    return;
  }
  // Whether it can be read is known before anything is made here.
  await verifySnapshot(file);
  const manifest = await withPlace(config, false, async ({ owner }) => {
    // A new installation has no schema yet.
    if (await withClient(owner, async (client) => (await tablesOf(client)).length === 0)) {
      await migrate(owner, derivedKey(config.secret, "runtime-role").toString("hex"));
      await prepareJobs(owner, []);
    }
    return restore({ owner, files }, config, file);
  });
  process.stdout
    .write(`服务商 ${manifest.provider?.number} ${manifest.provider?.name} 已恢复，每张表、每处引用和账本都已核对：${summary(manifest)}
数据推送已暂停，还没有发起的分账等人手动发起，待发的群发回到待审核，待发的邮件不再发送：由人逐项打开\n`);
}

const notThere = (missing = 0): string => (missing > 0 ? `\n注意：行里提到的文件有 ${missing} 个不在文件库里，没有包括` : "");

interface Asked {
  readonly verb: "save" | "restore" | "data";
  readonly who: string;
  readonly folder: string;
  readonly stopped: boolean;
  readonly files_missing: boolean;
}
function asked(): Asked {
  const [verb, ...rest] = process.argv.slice(2);
  const [text, flag] = [{ type: "string" }, { type: "boolean" }] as const;
  try {
    const { values } = parseArgs({
      args: rest,
      options: { provider: text, to: text, from: text, "old-place-stopped": flag, "files-missing": flag },
    });
    const { provider: who = "", to, from, "old-place-stopped": stopped = false, "files-missing": files_missing = false } = values;
    const given = { who, stopped, files_missing };
    if ((verb === "save" || verb === "data") && who !== "" && to && from === undefined && !stopped) return { verb, folder: to, ...given };
    if (verb === "restore" && who === "" && to === undefined && from && !files_missing) return { verb, folder: from, ...given };
  } catch {
    // Said below.
  }
  throw new StartError(USAGE);
}

provider().catch(told);
