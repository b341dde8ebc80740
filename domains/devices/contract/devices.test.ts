import { expect, test } from "vitest";
import { newDevice } from "./devices.ts";

const device = (model: string) => ({
  serviceProviderId: "00000000-0000-4000-8000-000000000001",
  merchantId: "00000000-0000-4000-8000-000000000002",
  storeId: "00000000-0000-4000-8000-000000000003",
  sn: "ZF-01-1",
  name: "前台",
  model,
});

test.each(["FACEPOS-F24", "SANGDA-SC3308", "TZH-L1", "XY-L1", "AlipayBoxF4", "T3B00", "CCL-Z1"])(
  "a device of the model %s is taken (spec 3)",
  (model) => {
    expect(newDevice.parse(device(model)).model).toBe(model);
  },
);
test("any other model is refused at its field", () => {
  expect(newDevice.safeParse(device("FACEPOS-F25")).error?.issues.map(({ path }) => path)).toEqual([["model"]]);
});
