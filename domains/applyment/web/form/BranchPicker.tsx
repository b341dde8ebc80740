import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { findBanks, findBranches } from "../../contract/index.ts";
import { type Dossier, textOf } from "../../contract/rules/dossier.ts";

/** So long nobody types before it is searched. */
const PAUSE_MS = 300;
function useQuiet(text: string): string {
  const [quiet, setQuiet] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // What was cleared is gone at once: the words for a bank are none for its branches.
  return text.trim() === "" ? "" : quiet;
}
const DOWN = "银行名录暂时查不到，请手填";

interface One {
  readonly code: string;
  readonly name: string;
}
/** 开户支行 of 其他银行: the bank by a part of its name, then its branch in the account's city. @param onTyping it has to be typed, or is to be */
export function BranchPicker({
  dossier,
  typing,
  onTyping,
  onChoose,
}: {
  dossier: Dossier;
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
  if (!typing) return <Search dossier={dossier} onDown={onDown} onTyping={() => onDown("")} onChoose={onChoose} />;
  return (
    <p className="note filing-branch">
      {said}
      <Button tone="link" onClick={() => onTyping(false)}>
        从名录里选支行
      </Button>
    </p>
  );
}

function Search({
  dossier,
  onDown,
  onTyping,
  onChoose,
}: {
  dossier: Dossier;
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
  const banks = useDetail(findBanks, bank ? undefined : { kind, q });
  const branches = useDetail(findBranches, bank && area !== "" ? { bank: bank.code, area, q } : undefined);
  const found = bank ? branches : banks;
  const why = found.error ? DOWN : (found.data?.why ?? "");
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
    <section className="filing-rules" aria-label="选开户支行">
      <h3>{bank ? `${bank.name}的支行` : "先选银行"}</h3>
      <div className="filing-branch">
        <label className="sr-only" htmlFor={id}>
          {bank ? "支行名称里的字" : "银行名称里的字"}
        </label>
        <input
          ref={input}
          id={id}
          className="input filing-branch-word"
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

function Results({
  of: found,
  onPick,
}: {
  of: { readonly items: readonly One[]; readonly more: number } | undefined;
  onPick: (one: One) => void;
}): ReactNode {
  if (!found || found.items.length === 0)
    return (
      <p className="note" role="status">
        {found ? "没有找到，换几个字再找，名录里没有的可以手填" : "正在查找"}
      </p>
    );
  return (
    <>
      <ul className="filing-branches">
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
