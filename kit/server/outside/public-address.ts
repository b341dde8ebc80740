import { BlockList, isIP } from "node:net";

/** What is not the public internet (IANA special-purpose registries), and what wraps an IPv4 address into an IPv6 one. */
const CLOSED = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  CLOSED.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  // Unspecified, loopback, and IPv4 written as IPv6.
  ["::", 96],
  ["64:ff9b::", 32],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const)
  CLOSED.addSubnet(net, bits, "ipv6");

/** Whether an address lies in the public internet; a name is none. An IPv4 address inside an IPv6 one counts as that. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return !CLOSED.check(address, family === 6 ? "ipv6" : "ipv4");
}
