const LONG = /[0-9A-Za-z]{8,}/g;
const MAIL = /[\w.+-]+@[\w.-]+/g;

/**
 * Words of the platform's as anybody may read them: what the buyer gave is taken out, and of every long number the last four signs stay.
 * @example masked("购方税号 91510100MA62RTYU1J 与名称 成都测试科技有限公司 不符", ["成都测试科技有限公司"]) // "购方税号 ****YU1J 与名称 **** 不符"
 */
export function masked(text: string, hidden: readonly string[]): string {
  let shown = text;
  for (const one of hidden.filter(({ length }) => length > 1).toSorted((a, b) => b.length - a.length))
    shown = shown.replaceAll(one, "****");
  return shown.replaceAll(MAIL, "****").replaceAll(LONG, (long) => ((long.match(/\d/g)?.length ?? 0) < 4 ? long : `****${long.slice(-4)}`));
}
