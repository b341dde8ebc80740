import { importsOver } from "@zhangfang/domains/imports/server/index.ts";
import { cashierImport } from "@zhangfang/domains/cashiers/server/index.ts";
import { bindingImport, equipmentImport } from "@zhangfang/domains/devices/server/index.ts";
import { otherStoreImport, storeImport } from "@zhangfang/domains/stores/server/index.ts";
import { shipmentImport } from "@zhangfang/domains/mall/server/index.ts";
import { merchantImport } from "@zhangfang/domains/organisation/server/index.ts";
import { resolutionImport } from "@zhangfang/domains/reconciliation/server/index.ts";

/** The imports over everything that a sheet can bring. */
export const imports = importsOver([
  merchantImport,
  storeImport,
  otherStoreImport,
  cashierImport,
  equipmentImport,
  bindingImport,
  resolutionImport,
  shipmentImport,
]);
