import { startDemo } from "../tools/guides/start-demo.ts";
import { buildWebIfStale } from "../tools/start.ts";
import { keepFolder } from "./rounds.ts";
import { PORT } from "./world.ts";

/** Starts the product as npm start does, in a folder of its own, with a demo world of nine days; stops it after the last journey. */
export default async function setup(): Promise<() => Promise<void>> {
  await buildWebIfStale();
  const { dataDir, stop } = await startDemo(PORT);
  keepFolder(dataDir);
  return stop;
}
