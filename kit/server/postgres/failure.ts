import { StartError } from "../start-error.ts";

const REASONS: readonly (readonly [pattern: RegExp, say: (folder: string) => string])[] = [
  [/No space left|ENOSPC|Disk quota/i, (folder) => `磁盘空间不足，数据库无法使用 ${folder}，请清理磁盘后再启动`],
  [/Read-only file system|EROFS/i, (folder) => `数据目录 ${folder} 所在的磁盘是只读的，请换一个目录`],
  [
    /incompatible with server|initialized by PostgreSQL version/i,
    (folder) => `数据目录 ${folder} 由另一版本的 PostgreSQL 建立，请用原来的版本备份后再恢复`,
  ],
  [
    /could not look up effective user/i,
    () => "当前用户在系统里没有名字（/etc/passwd），数据库无法以它运行，请换一个用户或设置 DATABASE_URL",
  ],
  [/ENOTDIR|Not a directory|EEXIST/i, (folder) => `${folder} 不是一个目录，数据库无法使用它`],
  [/EACCES|EPERM|Permission denied/i, (folder) => `没有权限使用数据目录 ${folder}，请检查它和上级目录的权限`],
  [/cannot open shared object|symbol lookup|ENOENT/i, () => "自带的数据库在这个系统上运行不了（需要 glibc），请设置 DATABASE_URL"],
];

/** The one line that tells a person why the database did not start, from what the system or PostgreSQL said. */
export function startFailure(folder: string, said: string): StartError {
  const known = REASONS.find(([pattern]) => pattern.test(said));
  if (known) return new StartError(known[1](folder));
  const line = said.split("\n").findLast((each) => /FATAL|PANIC|error|错误/.test(each)) ?? said.trim().split("\n").at(-1) ?? "";
  return new StartError(`数据库没能启动：${line.replace(/^.*?(FATAL|PANIC|error):\s*/, "").trim() || "原因不明"}（数据目录 ${folder}）`);
}

/** The refusal of a second opener; two programs on one database would spoil it. */
export function inUse(folder: string, holder: number | undefined): StartError {
  const who = holder ? `（进程 ${holder}）` : "";
  return new StartError(`数据目录 ${folder} 正被另一个程序使用${who}，请先停止它，或另设一个数据目录`);
}
