import { spawnSync } from "node:child_process";
import { chownSync, lchownSync, readdirSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";

/** As whom the database runs: what stands before its command, and the user and group of the process. */
export interface Identity {
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

const NOBODY = 65_534;
const MAPPED = ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, "--"];
// Nobody, who may pass folders that are closed to others, as root's home is.
const PASSING = `setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups --inh-caps +dac_override --ambient-caps +dac_override`.split(
  " ",
);

/**
 * PostgreSQL refuses to run as root, and as a user without a name. Root gets a user namespace in which it is
 * nobody, so the files stay root's and any folder will do. Where the kernel or a container forbids that, the
 * database runs as nobody (65534) and owns its folder; it passes closed folders above where setpriv can grant that.
 * A folder that an ordinary user made is run as that user.
 */
export function identityFor(folder: string): Identity {
  if (process.getuid?.() !== 0) return hasName() ? { prefix: [] } : { prefix: MAPPED };
  const owner = statSync(folder);
  if (owner.uid !== 0 && owner.uid !== NOBODY) return { prefix: [], uid: owner.uid, gid: owner.gid };
  if (owner.uid === 0 && canRun(MAPPED)) return { prefix: MAPPED };
  chownSync(folder, NOBODY, NOBODY);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) lchownSync(join(folder, name), NOBODY, NOBODY);
  return canRun(PASSING) ? { prefix: PASSING } : { prefix: [], uid: NOBODY, gid: NOBODY };
}

function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

function canRun([command = "", ...words]: readonly string[]): boolean {
  return spawnSync(command, [...words, "true"], { stdio: "ignore" }).status === 0;
}
