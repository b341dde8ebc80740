import type { IncomingMessage, ServerResponse } from "node:http";
import { ControlError } from "../control.ts";
import { text, type Bag } from "../reply.ts";
import { openBook, takeFault, VENDORS, type Fault, type Vendor } from "./book.ts";
import { MAKERS } from "./makers.ts";

export interface Hardware {
  /** A request of `/_feie/…`, `/_yilian/…` or `/_borui/…`; whether it was one. */
  answer(request: IncomingMessage, response: ServerResponse, url: URL, body: string): boolean;
  /** The calls under /_devices, by verb and name. */
  readonly actions: Readonly<Record<string, (given: Bag, url: URL) => object>>;
}

/** Plays the clouds of the printers' and speakers' makers, each below a path of its own. */
export function openHardware(directory: string): Hardware {
  const book = openBook(directory);
  const vendorOf = (given: Bag): Vendor => {
    const vendor = VENDORS.find((one) => one === text(given["vendor"]));
    if (!vendor) throw new ControlError("没有这个厂商");
    return vendor;
  };
  return {
    answer(request, response, url, body) {
      const [, vendor, path] = /^\/_(feie|yilian|borui)\/(.*)$/.exec(url.pathname) ?? [];
      if (vendor === undefined || path === undefined) return false;
      const fault = takeFault(book, vendor as Vendor);
      if (fault?.kind === "lost-request") return request.socket.destroy().destroyed;
      const fields = Object.fromEntries(vendor === "borui" ? url.searchParams : new URLSearchParams(body));
      const refused = { ret: -1, error: "9", errcode: 8, msg: "演示故障", error_description: "演示故障", errmsg: "演示故障" };
      const said = fault?.kind === "refuse" ? refused : MAKERS[vendor as Vendor](book, { path, fields, now: Date.now() });
      if (fault?.kind === "lost-reply") return request.socket.destroy().destroyed;
      response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
      response.end(fault?.kind === "garbled" ? "<html>" : JSON.stringify(said));
      return true;
    },
    actions: {
      "GET state": () => ({
        devices: book.kept.devices.map(({ vendor, sn, key, owner, online }) => ({ vendor, sn, key, bound: owner !== null, online })),
        outputs: book.kept.outputs,
      }),
      "POST accounts": (given) => {
        book.kept.accounts[vendorOf(given)] = { account: text(given["account"]), secret: text(given["secret"]) };
        book.save();
        return {};
      },
      "POST online": (given) => {
        const device = book.find(vendorOf(given), text(given["sn"]));
        if (!device) throw new ControlError("没有这台设备");
        device.online = given["online"] === true;
        book.save();
        return {};
      },
      "POST faults": (given) => {
        const kind = text(given["kind"]) as Fault["kind"];
        if (!["refuse", "lost-request", "lost-reply", "garbled"].includes(kind)) throw new ControlError("没有这种故障");
        book.faults.push({ vendor: vendorOf(given), kind, times: Number(given["times"] ?? 1) });
        return {};
      },
      "POST forget": () => {
        book.kept.outputs = [];
        book.kept.tokens = [];
        book.faults.length = 0;
        book.save();
        return {};
      },
    },
  };
}
