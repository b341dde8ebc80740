import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import type { InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { OTHER_BANK } from "../../contract/codes.ts";
import type { findBanks, findBranches } from "../../contract/index.ts";
import { type Dossier, textOf } from "../../contract/rules/dossier.ts";
import type { FieldValue } from "./FieldRow.tsx";

/** So long nobody types before it is searched. */
const PAUSE_MS = 300;
/** When a list that is being fetched is asked for again. */
const AGAIN_MS = 2_000;
function useQuiet(text: string): string {
  const [quiet, setQuiet] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // What was cleared is gone at once: the words for a bank are none for its branches.
  return text.trim() === "" ? "" : quiet;
}
type Picks = OutputOf<typeof findBanks>;
/** Who asks for banks and branches: the office, or whoever holds a merchant's link. */
export interface BranchFinder {
  readonly banks: (given: InputOf<typeof findBanks>) => Promise<Picks>;
  readonly branches: (given: InputOf<typeof findBranches>) => Promise<Picks>;
}
/** What a branch that is picked fills in. */
export const PICKED: ReadonlySet<string> = new Set(["account.branchId", "account.branchName"]);
/** What somebody writes in a field by hand. The number of a branch goes with its name: it is not that of another one. */
export const byHand = (dossier: Dossier, path: string, value: FieldValue): Readonly<Record<string, FieldValue>> => ({
  [path]: value,
  ...(path === "account.branchName" && textOf(dossier, "account.branchId") !== "" && { "account.branchId": "" }),
});
/** Whether the account's bank is one that needs its branch. */
export const needsBranch = (dossier: Dossier): boolean => textOf(dossier, "account.bank") === OTHER_BANK;

/** What was found for these words and no others. @param key what is asked for; empty where nothing is */
function useFound(key: string, ask: () => Promise<Picks>): { readonly data?: Picks; readonly failed?: boolean } {
  const [found, setFound] = useState<{ readonly key: string; readonly data?: Picks; readonly failed?: boolean }>({ key: "" });
  const last = useRef(ask);
  useEffect(() => {
    last.current = ask;
  });
  useEffect(() => {
    if (key === "") return undefined;
    let wanted = true;
    let again: ReturnType<typeof setTimeout> | undefined;
    const look = (): void =>
      void last.current().then(
        (data) => {
          if (!wanted) return;
          setFound({ key, data });
          if (data.fetching) again = setTimeout(look, AGAIN_MS);
        },
        () => wanted && setFound({ key, failed: true }),
      );
    look();
    return () => {
      wanted = false;
      clearTimeout(again);
    };
  }, [key]);
  return found.key === key ? found : {};
}
const DOWN = "银行名录暂时查不到，请手填";

interface One {
  readonly code: string;
  readonly name: string;
}
/** 开户支行 of 其他银行: the bank by a part of its name, then its branch in the account's city. @param onTyping it has to be typed, or is to be */
export function BranchPicker({
  dossier,
  find,
  typing,
  onTyping,
  onChoose,
}: {
  dossier: Dossier;
  find: BranchFinder;
  typing: boolean;
  onTyping: (typing: boolean) => void;
  onChoose: (values: Readonly<Record<string, string>>) => void;
}): ReactNode {
  const [said, setSaid] = useState("");
  const onDown = useCallback(
    (why: string) => {
      setSaid(why);
      onTyping(true);
    },
    [onTyping],
  );
  // The number of a branch that was picked is not that of the one that is typed.
  const typeIt = (): void => {
    if (textOf(dossier, "account.branchId") !== "") onChoose({ "account.branchId": "", "account.branchName": "" });
    onDown("");
  };
  if (!typing) return <Search dossier={dossier} find={find} onDown={onDown} onTyping={typeIt} onChoose={onChoose} />;
  return (
    <p className="note branch-line">
      {said}
      <Button tone="link" onClick={() => onTyping(false)}>
        从名录里选支行
      </Button>
    </p>
  );
}

function Search({
  dossier,
  find,
  onDown,
  onTyping,
  onChoose,
}: {
  dossier: Dossier;
  find: BranchFinder;
  onDown: (why: string) => void;
  onTyping: () => void;
  onChoose: (values: Readonly<Record<string, string>>) => void;
}): ReactNode {
  const [bank, setBank] = useState<One>();
  const [word, setWord] = useState("");
  const q = useQuiet(word);
  const id = useId();
  const area = textOf(dossier, "account.area");
  const kind = textOf(dossier, "account.type") === "BANK_ACCOUNT_TYPE_PERSONAL" ? "personal" : "corporate";
  const key = bank === undefined ? `${kind} ${q}` : area === "" ? "" : `${bank.code} ${area} ${q}`;
  const found = useFound(key, () => (bank ? find.branches({ bank: bank.code, area, q }) : find.banks({ kind, q })));
  const why = found.failed === true ? DOWN : (found.data?.why ?? "");
  useEffect(() => {
    if (why !== "") onDown(why);
  }, [why, onDown]);
  const hint = bank && area === "" ? "请先选开户银行省市。" : !bank && q === "" ? "写几个字就会列出来。" : "";
  const input = useRef<HTMLInputElement>(null);
  const toBank = (one: One | undefined): void => {
    setWord("");
    setBank(one);
    // What was pressed is gone: the next words come here.
    input.current?.focus();
  };
  const pick = (one: One): void => {
    if (!bank) return toBank(one);
    setWord("");
    setBank(undefined);
    onChoose({ "account.branchId": one.code, "account.branchName": one.name });
  };
  return (
    <section className="branch-picker" aria-label="选开户支行">
      <p className="branch-title">{bank ? `${bank.name}的支行` : "先选银行"}</p>
      <div className="branch-line">
        <label className="sr-only" htmlFor={id}>
          {bank ? "支行名称里的字" : "银行名称里的字"}
        </label>
        <input
          ref={input}
          id={id}
          className="input branch-word"
          type="search"
          autoComplete="off"
          maxLength={40}
          placeholder={bank ? "支行名称里的字，如：青羊" : "银行名称里的字，如：农村商业"}
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
        {bank && (
          <Button tone="link" onClick={() => toBank(undefined)}>
            换一家银行
          </Button>
        )}
        <Button tone="link" onClick={onTyping}>
          找不到，手填
        </Button>
      </div>
      {hint === "" ? <Results of={found.data} onPick={pick} /> : <p className="note">{hint}</p>}
    </section>
  );
}

function Results({ of: found, onPick }: { of: Picks | undefined; onPick: (one: One) => void }): ReactNode {
  if (!found || found.items.length === 0)
    return (
      <p className="note" role="status">
        {found?.fetching
          ? "正在向微信支付取名录，第一次可能要半分钟，取到就列出来；不想等可以手填"
          : found
            ? "没有找到，换几个字再找，名录里没有的可以手填"
            : "正在查找"}
      </p>
    );
  return (
    <>
      <ul className="branches">
        {found.items.map((one) => (
          <li key={one.code}>
            <span>{one.name}</span>
            <Button tone="link" aria-label={`选这家：${one.name}`} onClick={() => onPick(one)}>
              选这家
            </Button>
          </li>
        ))}
      </ul>
      {found.more > 0 && <p className="note">还有 {found.more} 家，多写几个字</p>}
    </>
  );
}
