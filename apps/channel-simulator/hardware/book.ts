import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const VENDORS = ["feie", "yilian", "borui"] as const;
export type Vendor = (typeof VENDORS)[number];

/** A device as it left the factory, and whose it is now. */
export interface Device {
  readonly vendor: Vendor;
  readonly sn: string;
  /** What stands on a printer's label. */
  readonly key: string;
  /** The account that it was added to; a speaker's user. */
  owner: string | null;
  online: boolean;
}
/** What came out of a device. */
export interface Output {
  readonly vendor: Vendor;
  readonly sn: string;
  readonly at: number;
  readonly number: string;
  /** As it was sent. */
  readonly content: string;
  /** As it can be read: tags obeyed and taken away. */
  readonly shown: string;
  /** What the content made the device do besides printing and saying. */
  readonly commands: readonly string[];
  readonly copies: number;
}
interface Kept {
  accounts: Partial<Record<Vendor, { account: string; secret: string }>>;
  devices: Device[];
  outputs: Output[];
  tokens: string[];
}
/** A way in which a maker's cloud fails. */
export interface Fault {
  readonly vendor: Vendor;
  readonly kind: "refuse" | "lost-request" | "lost-reply" | "garbled";
  times: number;
}
const KEPT_OUTPUTS = 200;

/** The makers' books: accounts, devices and what came out of them, in one file. */
export interface Book {
  readonly kept: Kept;
  readonly faults: Fault[];
  find(vendor: Vendor, sn: string): Device | undefined;
  put(output: Output): void;
  /** Writes the file; whoever changes something calls it. */
  save(): void;
}

export function openBook(directory: string): Book {
  const path = join(directory, "hardware.json");
  const kept: Kept = existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as Kept)
    : { accounts: {}, devices: factory(), outputs: [], tokens: [] };
  const book: Book = {
    kept,
    faults: [],
    find: (vendor, sn) => kept.devices.find((device) => device.vendor === vendor && device.sn === sn),
    put(output) {
      kept.outputs = [output, ...kept.outputs].slice(0, KEPT_OUTPUTS);
      book.save();
    },
    save() {
      writeFileSync(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
  return book;
}

/** Devices that somebody may bind: their numbers and keys are shown on the page, as on a label. */
function factory(): Device[] {
  const made = (vendor: Vendor, count: number, sn: (n: number) => string, key: (n: number) => string): Device[] =>
    Array.from({ length: count }, (_none, n) => ({ vendor, sn: sn(n + 1), key: key(n + 1), owner: null, online: n % 5 !== 4 }));
  return [
    ...made(
      "feie",
      10,
      (n) => String(960_000_000 + n),
      (n) => `fe${String(n * 7919).padStart(6, "0")}`,
    ),
    ...made(
      "yilian",
      10,
      (n) => String(4_004_600_000 + n),
      (n) => String(189_500_000_000 + n * 7919),
    ),
    ...made(
      "borui",
      10,
      (n) => String(20_423_000 + n),
      () => "",
    ),
  ];
}
/** The fault that this request of a maker meets. */
export function takeFault(book: Book, vendor: Vendor): Fault | undefined {
  const at = book.faults.findIndex((fault) => fault.vendor === vendor && fault.times > 0);
  const fault = book.faults[at];
  if (fault && --fault.times === 0) book.faults.splice(at, 1);
  return fault;
}
