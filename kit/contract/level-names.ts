/** What the house calls the levels of a tree; a provider may have its own names for them. */
export const DEFAULT_LEVEL_NAMES = {
  agent: "代理商",
  group: "业务集团",
  team: "业务团队",
  salesman: "业务员",
  merchant: "商户",
  store: "门店",
} as const;
export type LevelKey = keyof typeof DEFAULT_LEVEL_NAMES;
export const LEVEL_KEYS = Object.keys(DEFAULT_LEVEL_NAMES) as LevelKey[];
export type LevelNames = Readonly<Partial<Record<LevelKey, string | undefined>>>;

const KEY_OF: Readonly<Record<string, LevelKey>> = {
  代理商: "agent",
  业务集团: "group",
  集团: "group",
  业务团队: "team",
  团队: "team",
  业务员: "salesman",
  商户: "merchant",
  门店: "store",
};
// 商户号 and 特约商户 are the channel's words.
const WORDS = /代理商|业务集团|集团|业务团队|团队|业务员|(?<!特约)商户(?!号|单号|订单号)|门店/g;
/**
 * Words of ours with a provider's names in them. For words that we wrote alone: what people have typed stays as they typed it.
 * @example withLevelNames("新建代理商", { agent: "渠道商" }) // "新建渠道商"
 */
export function withLevelNames(text: string, names: LevelNames): string {
  return text.replaceAll(WORDS, (word) => names[KEY_OF[word] ?? "agent"] ?? word);
}
