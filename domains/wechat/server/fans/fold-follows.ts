/** Where a follow comes from: a code of ours, or WeChat's word for the way; neither where nobody has said yet. */
export interface Source {
  readonly channel_id: string | null;
  readonly scene: string | null;
}
/** What was heard of a follower: `listed` and `missing` by WeChat's list, the others by its messages. */
export interface Heard extends Source {
  readonly event: "subscribe" | "unsubscribe" | "scan" | "listed" | "missing";
  readonly at: string;
  /** Of `listed`: since when WeChat says that they follow. */
  readonly follow_at: string | null;
}
/** One follow, from its beginning (null: before anybody listened) to its end. */
export interface Follow {
  readonly from: string | null;
  to: string | null;
  source: Source;
}
const NOBODY_SAID: Source = { channel_id: null, scene: null };
const said = ({ channel_id, scene }: Source): boolean => channel_id !== null || scene !== null;
const sourceOf = ({ channel_id, scene }: Heard): Source => ({ channel_id, scene });

/**
 * The follows that events tell of.
 * @param heard in the order of their own time
 */
export function foldFollows(heard: readonly Heard[]): Follow[] {
  const follows: Follow[] = [];
  const open = (): Follow | undefined => (follows.at(-1)?.to === null ? follows.at(-1) : undefined);
  const end = (at: string): void => {
    const one = open();
    if (one) one.to = at;
  };
  const begin = (from: string | null, source: Source): void => {
    if (from !== null) end(from);
    follows.push({ from, to: null, source });
  };
  for (const one of heard) {
    const now = open();
    const last = follows.at(-1)?.to ?? null;
    if (one.event === "unsubscribe" || one.event === "missing") end(one.at);
    else if (one.event === "subscribe") {
      // What they were following before was left unheard, unless the list told of this very follow already.
      if (now?.from === one.at) now.source = said(one) ? sourceOf(one) : now.source;
      else begin(one.at, sourceOf(one));
    } else if (one.event === "scan") {
      if (now) now.source = said(one) ? sourceOf(one) : now.source;
      else begin(last === null ? null : one.at, sourceOf(one));
    } else if (!now) begin(listedFrom(one, last), sourceOf(one));
    else if (one.follow_at !== null && now.from !== null && one.follow_at > now.from) begin(one.follow_at, sourceOf(one));
    else if (!said(now.source)) now.source = sourceOf(one);
  }
  return follows;
}
/** Whoever left and is listed came back after that. */
function listedFrom({ follow_at, at }: Heard, left: string | null): string | null {
  if (left === null) return follow_at;
  return follow_at !== null && follow_at >= left ? follow_at : at;
}
/** The source that stays: that of the first follow as it began. A scan of somebody who follows already is none. */
export function firstSource(heard: readonly Heard[]): Source {
  const [first] = heard;
  if (first?.event === "subscribe" && said(first)) return sourceOf(first);
  // Nobody said at first: what the list says of that same follow, before any other began.
  const listed = heard.find(({ event }) => event === "listed");
  const [whole, second] = foldFollows(heard);
  if (!listed || !whole || second) return NOBODY_SAID;
  return listed.follow_at === null || whole.from === null || listed.follow_at <= whole.from ? sourceOf(listed) : NOBODY_SAID;
}
