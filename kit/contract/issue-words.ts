/** What a schema found wrong with a value, as zod tells it. */
interface Issue {
  readonly code?: string;
  readonly input?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly origin?: unknown;
  readonly expected?: unknown;
}

/**
 * What a schema says about a value where the contract has no words of its own. Nothing reaches a person in English: both
 * sides give this to their checks.
 * @example endpoint.input.safeParse(given, { error: issueWords })
 */
export function issueWords(issue: Issue): string {
  if (issue.input === undefined || issue.input === null || issue.input === "") return issue.expected === "boolean" ? "请选择" : "请填写";
  if (issue.code === "too_small") {
    if (issue.origin === "string") return `至少 ${String(issue.minimum)} 个字`;
    if (issue.origin === "array") return `至少选择 ${String(issue.minimum)} 项`;
    return `不能小于 ${String(issue.minimum)}`;
  }
  if (issue.code === "too_big") {
    if (issue.origin === "string") return `不能超过 ${String(issue.maximum)} 个字`;
    if (issue.origin === "array") return `最多 ${String(issue.maximum)} 项`;
    return `不能大于 ${String(issue.maximum)}`;
  }
  if (issue.code === "invalid_type" && (issue.expected === "number" || issue.expected === "int")) return "请填写数字";
  return "格式不正确，请检查";
}
