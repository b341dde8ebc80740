import { expect, test } from "vitest";
import { callerAddress, networkOf } from "./network.ts";

test.each([
  ["203.0.113.7", "203.0.113", "203.0.113.7"],
  ["::ffff:203.0.113.9", "203.0.113", "203.0.113.9"],
  ["::FFFF:10.1.2.3", "10.1.2", "10.1.2.3"],
  ["2001:db8:1:2::1", "2001:0db8:0001", "2001:0db8:0001:0002"],
  ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:0db8:0001", "2001:0db8:0001:0002"],
  ["2001:DB8:12::", "2001:0db8:0012", "2001:0db8:0012:0000"],
  ["2001:db8::5", "2001:0db8:0000", "2001:0db8:0000:0000"],
  ["::1", "0000:0000:0000", "0000:0000:0000:0000"],
  // What stands after the gap is counted from the end.
  ["2001::3:4:5:6:7:8", "2001:0000:0003", "2001:0000:0003:0004"],
  ["::2:3:4:5:6:7:8", "0000:0002:0003", "0000:0002:0003:0004"],
  ["nowhere", "nowhere", "nowhere"],
  ["1::g", "1::g", "1::g"],
])("%s is of the network %s and counts as %s", (address, network, caller) => {
  expect([networkOf(address), callerAddress(address)]).toEqual([network, caller]);
});
