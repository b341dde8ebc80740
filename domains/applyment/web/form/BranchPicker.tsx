import { type ReactNode, useEffect, useId, useState } from "react";
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
  return quiet;
}
const DOWN = "银行名录暂时查不到，请手填";

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
  const [bank, setBank] = useState<{ readonly code: string; readonly name: string }>();
  const [word, setWord] = useState("");
  const q = useQuiet(word);
  const id = useId();
  const area = textOf(dossier, "account.area");
  const kind = textOf(dossier, "account.type") === "BANK_ACCOUNT_TYPE_PERSONAL" ? "personal" : "corporate";
  const banks = useDetail(findBanks, typing || bank ? undefined : { kind, q });
  const branches = useDetail(findBranches, !typing && bank && area !== "" ? { bank: bank.code, area, q } : undefined);
  const found = bank ? branches : banks;
  const why = found.error ? DOWN : (found.data?.why ?? "");
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (why === "" || typing) return;
    setSaid(why);
    onTyping(true);
  }, [why, typing, onTyping]);
  const pick = (one: { readonly code: string; readonly name: string }): void => {
    setWord("");
    if (!bank) return setBank(one);
    onChoose({ "account.branchId": one.code, "account.branchName": one.name });
    setBank(undefined);
  };
  if (typing)
    return (
      <p className="note">
        {said}
        <Button
          tone="link"
          onClick={() => {
            setSaid("");
            onTyping(false);
          }}
        >
          从名录里选支行
        </Button>
      </p>
    );
  const { items = [], more = 0 } = found.data ?? {};
  return (
    <section className="filing-rules" aria-label="选开户支行">
      <h3>{bank ? `${bank.name}的支行` : "先选银行"}</h3>
      <div className="filing-branch">
        <label className="sr-only" htmlFor={id}>
          {bank ? "支行名称里的字" : "银行名称里的字"}
        </label>
        <input
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
          <Button tone="link" onClick={() => setBank(undefined)}>
            换一家银行
          </Button>
        )}
        <Button tone="link" onClick={() => onTyping(true)}>
          找不到，手填
        </Button>
      </div>
      {bank && area === "" ? (
        <p className="note">请先选开户银行省市。</p>
      ) : found.data === undefined ? (
        <p className="note" role="status">
          正在查找
        </p>
      ) : items.length === 0 ? (
        <p className="note" role="status">
          没有找到，换几个字再找
        </p>
      ) : (
        <ul className="filing-branches">
          {items.map((one) => (
            <li key={one.code}>
              <span>{one.name}</span>
              <Button tone="link" aria-label={`选${one.name}`} onClick={() => pick(one)}>
                选这家
              </Button>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="note">还有 {more} 家，多写几个字</p>}
    </section>
  );
}
