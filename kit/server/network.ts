/** The eight groups of an IPv6 address, four digits each; undefined where it is an IPv4 address, or none. */
function groupsOf(address: string): string[] | undefined {
  if (!/^[\da-f:]+$/i.test(address) || !address.includes(":")) return undefined;
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...gap, ...right].map((group) => group.padStart(4, "0"));
}
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/**
 * The network of an address, by which crowds are counted: /24 of IPv4, /48 of IPv6; what is no address stays as it is.
 * @example networkOf("203.0.113.77") // "203.0.113"
 */
export function networkOf(address: string): string {
  const v4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(plain(address));
  return v4?.[1] ?? groupsOf(address)?.slice(0, 3).join(":") ?? address;
}
/**
 * What counts as one caller: an IPv4 address, and the /64 of an IPv6 address, of which one customer has all.
 * @example callerAddress("2001:db8:1:2::3") // "2001:0db8:0001:0002"
 */
export const callerAddress = (address: string): string => groupsOf(address)?.slice(0, 4).join(":") ?? plain(address);
