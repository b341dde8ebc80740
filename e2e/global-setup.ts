import { startDemo } from "../tools/guides/start-demo.ts";
import { buildWebIfStale } from "../tools/start.ts";
import { PORT } from "./world.ts";

/** Starts the product as npm start does, in a folder of its own, with a demo world of nine days; stops it after the last journey. */
export default async function setup(): Promise<() => Promise<void>> {
  await buildWebIfStale();
  return startDemo(PORT);
}
