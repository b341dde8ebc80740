import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Doors } from "./door.ts";
import { eleDoor } from "./ele.ts";
import { meituanDoor } from "./meituan.ts";

const HOSTS = { ele: "open-api.shop.ele.me", "meituan-wm": "waimaiopen.meituan.com" } as const;
const opened = new WeakMap<Services, Doors>();
/** The platforms' interfaces of these services: in a demo the simulator's on this machine. */
export function doorsOf(services: Services): Doors {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const local = `127.0.0.1:${simulator_port + 2}`;
  const send = openOutbound(demo ? [local] : Object.values(HOSTS), { loopback: demo });
  const doors: Doors = {
    ele: eleDoor(demo ? `http://${local}/ele` : `https://${HOSTS.ele}`, services, send),
    "meituan-wm": meituanDoor(demo ? `http://${local}/meituan-wm` : `https://${HOSTS["meituan-wm"]}`, services.clock, send),
  };
  opened.set(services, doors);
  return doors;
}
