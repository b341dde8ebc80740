import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isTest, lineAt, type Module, type Violation } from "./modules.ts";

interface TextLaw {
  readonly where: RegExp;
  readonly pattern: RegExp;
  readonly why: string;
  readonly alsoTests?: boolean;
}

const SERVER = /^(kit\/(contract|server)\/|domains\/[^/]+\/(contract|server)|apps\/server\/)/;
const PRODUCT = /^(kit|domains|apps)\//;
const EVERYWHERE = /^(?!tools\/(house|check-house))/;

const LAWS: readonly TextLaw[] = [
  { where: SERVER, pattern: /\bMath\.random\b/, why: "服务端不用 Math.random；编号和随机数由 Ids 给出" },
  {
    where: /^(?!kit\/server\/outside\/outbound\.ts)(kit\/server\/|domains\/[^/]+\/server\/|apps\/server\/)/,
    pattern: /(?<![.\w])fetch\(|globalThis\.fetch/,
    why: "只有 kit/server/outside/outbound.ts 对外连接",
  },
  {
    where: /^(?!kit\/web\/copy\.ts)(kit|domains|apps)\//,
    pattern: /navigator\.clipboard/,
    why: "复制只用 kit/web/copy.ts：没有 https 时它另有办法，不行会说",
  },
  {
    where: /^(kit\/web|domains\/[^/]+\/web|apps\/web\/src)\//,
    pattern: /type="(date|time|datetime-local|month|week)"/,
    why: "日期和时间用 kit/web/form/days",
  },
  {
    where: /^(kit\/web|domains\/[^/]+\/web|apps\/web\/src)\//,
    pattern: /(?<![^\n])(?:export )?(?:const|let) (?:(?!=>|\bfunction\b|\n\S)[^])*?\b(?:today|daysAgo)\(/,
    why: "页面开过夜，今天就是另一天：在画的时候算",
  },
  { where: PRODUCT, pattern: /dangerouslySetInnerHTML|\.innerHTML\s*=/, why: "不直接写入 HTML" },
  { where: PRODUCT, pattern: /(?<![.\w])eval\(|\bnew Function\(/, why: "不运行拼出来的代码" },
  { where: EVERYWHERE, pattern: /\b(it|test|describe)\.(skip|only|todo|fixme)\b/, why: "测试不跳过、不单挑", alsoTests: true },
];

/** What must not stand in the code. */
export function codeViolations(modules: readonly Module[]): Violation[] {
  return modules.flatMap((module) =>
    LAWS.filter((law) => law.where.test(module.path) && (law.alsoTests || !isTest(module.path))).flatMap(({ pattern, why }) =>
      matches(module.path, module.code, pattern, why),
    ),
  );
}

const WORDS: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/登陆/, "应写作「登录」"],
  [/帐号|帐户/, "应写作「账号」「账户」"],
  [/\b(TODO|FIXME|XXX)\b/, "做完再提交，或写进说明"],
];

/** What must not stand in any text, comments and documents included. */
export function wordViolations(root: string): Violation[] {
  const patterns = ["*.md", "docs/**/*.md", "{kit,domains,apps,db,tools,bench,e2e}/**/*.{ts,tsx,css,html,sql,md}"];
  const paths = globSync(patterns, { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name) });
  // The glossary names the words that we avoid, and so do these laws.
  return paths
    .filter((path) => path !== "GLOSSARY.md" && !/^tools\/(house\/|check-house)/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return WORDS.flatMap(([pattern, why]) => matches(path, text, pattern, why));
    });
}

/** Whoever uses the kit reads what a function is for where it stands. */
export function undocumented(modules: readonly Module[]): Violation[] {
  return modules
    .filter(({ path }) => path.startsWith("kit/") && !isTest(path))
    .flatMap(({ path, text }) => {
      const lines = text.split("\n");
      return lines.flatMap((line, index) => {
        const name =
          /^export (?:default )?(?:async )?function\*? (\w+)/.exec(line)?.[1] ??
          /^export const (\w+)[^=]*= (?:async )?(?:<[^>]*>)?\(.*=>/.exec(line)?.[1];
        const overload = name !== undefined && new RegExp(`function ${name}\\b`).test(lines[index - 1] ?? "");
        return name && !overload && !(lines[index - 1] ?? "").trimEnd().endsWith("*/")
          ? [{ path, line: index + 1, why: `${name} 没有 JSDoc` }]
          : [];
      });
    });
}

function matches(path: string, text: string, pattern: RegExp, why: string): Violation[] {
  return [...text.matchAll(new RegExp(pattern, "g"))].map((found) => ({
    path,
    line: lineAt(text, found.index),
    why: `${found[0].trim()}：${why}`,
  }));
}
