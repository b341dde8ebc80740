// npm run device-vendor -- feie 账号 [地址]: sets the platform's account at a maker of printers or speakers. The secret is read
// from standard input, so that it stands in no history and no list of processes. The service may run meanwhile.
import { text } from "node:stream/consumers";
import { setVendorAccount } from "@zhangfang/domains/store-hardware/server/index.ts";
import { systemClock, systemIds } from "@zhangfang/server/clock.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { openPool, withScope } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { StartError } from "@zhangfang/server/start-error.ts";
import { told, withPlace } from "./backup/place.ts";

const BASE_URLS = { feie: "https://api.feieyun.cn", yilian: "https://open-api.10ss.net", borui: "https://speaker.17laimai.cn" } as const;
const isVendor = (given: string): given is keyof typeof BASE_URLS => Object.hasOwn(BASE_URLS, given);

async function setVendor(): Promise<void> {
  const [vendor = "", account = "", baseUrl] = process.argv.slice(2);
  if (!isVendor(vendor) || account === "") throw new StartError("用法：npm run device-vendor -- feie|yilian|borui 账号 [地址] < 密钥文件");
  const secret = (await text(process.stdin)).trim();
  if (secret === "") throw new StartError("请从标准输入给出密钥（飞鹅 UKEY、易联云 client_secret、博瑞皓科 token）");
  const config = readConfig();
  await withPlace(config, false, async ({ owner }) => {
    const pool = openPool({ connection: owner, size: 1, wait_ms: 5_000 });
    const services = { config, pool, clock: systemClock, ids: systemIds } as Parameters<typeof setVendorAccount>[1];
    const given = { account, secret, baseUrl: baseUrl ?? BASE_URLS[vendor] };
    try {
      await withScope(pool, platformScope("set a vendor's account"), (tx) => setVendorAccount(tx, services, vendor, given));
    } catch (error) {
      throw error instanceof Refusal ? new StartError(error.message) : error;
    } finally {
      await pool.end();
    }
  });
  process.stdout.write(`已保存 ${vendor} 的账号，下一次打印或播报起生效\n`);
}

setVendor().catch(told);
