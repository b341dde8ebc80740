// npm run provider -- save | restore | data: one service provider into a folder, from there into another installation, or as files to read.
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { derivedKey, readConfig } from "@zhangfang/server/config.ts";
import { migrate } from "@zhangfang/server/database/migrate.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { prepareJobs } from "@zhangfang/server/jobs/jobs.ts";
import { withClient } from "@zhangfang/server/snapshot.ts";
import { tablesOf } from "@zhangfang/server/snapshot/tables.ts";
import { StartError } from "@zhangfang/server/start-error.ts";
import { data, restore, save } from "./one-provider.ts";
import { snapshotFile, summary, told, withPlace } from "./place.ts";

const USAGE = `用法：
  npm run provider -- save --provider 编号或ID --to 文件夹     保存一个服务商（行、文件、账本合计），服务可以照常运行
  npm run provider -- restore --from 文件夹                    恢复到没有这个服务商的另一套系统，核对无误才保留
  npm run provider -- data --provider 编号或ID --to 文件夹     写出可以阅读的数据（CSV 和文件），不含密码和密钥`;

async function provider(): Promise<void> {
  const { verb, who, folder } = asked();
  const config = readConfig();
  const file = snapshotFile(`${folder}/provider.backup`);
  const files = openFiles(config);
  if (verb === "data") {
    const { number, name, tables } = await withPlace(config, false, ({ owner }) => data({ owner, files }, config, dirname(file.path), who));
    process.stdout.write(
      `服务商 ${number} ${name} 的数据已写出：${dirname(file.path)}\n${tables.length} 张表；其中有个人信息，请妥善保管\n`,
    );
    return;
  }
  if (verb === "save") {
    const manifest = await withPlace(config, false, ({ owner }) => save({ owner, files }, config, file, who, Date.now()));
    process.stdout.write(
      `服务商 ${manifest.provider?.number} ${manifest.provider?.name} 已保存并已核对：${file.path}\n${summary(manifest)}\n`,
    );
    return;
  }
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
数据推送已暂停，待发的群发回到待审核，待发的邮件不再发送：确认原来的系统不再处理这个服务商以后，由人逐项打开\n`);
}

function asked(): { readonly verb: "save" | "restore" | "data"; readonly who: string; readonly folder: string } {
  const [verb, ...rest] = process.argv.slice(2);
  try {
    const { values } = parseArgs({
      args: rest,
      options: { provider: { type: "string" }, to: { type: "string" }, from: { type: "string" } },
    });
    const { provider: who = "", to, from } = values;
    if ((verb === "save" || verb === "data") && who !== "" && to && from === undefined) return { verb, who, folder: to };
    if (verb === "restore" && who === "" && to === undefined && from) return { verb, who, folder: from };
  } catch {
    // Said below.
  }
  throw new StartError(USAGE);
}

provider().catch(told);
