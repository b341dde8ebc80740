// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { goodsKind, voucherCheck, voucherStatus } from "../contract/codes.ts";

for (const platform of ["dy", "ks"] as const)
  registerExportedList(`vouchers-${platform}`, {
    path: `/plat-${platform}/coupon`,
    filters: { status: ["状态", voucherStatus], kind: ["类型", goodsKind], check: ["核对", voucherCheck] },
  });
