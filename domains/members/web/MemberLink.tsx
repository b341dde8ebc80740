import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { getMember, type MemberShown } from "../contract/index.ts";
import { memberHref } from "./member-href.ts";

/** A member in words: name and phone as far as they are known, or the number. */
export const memberWords = ({ memberName, memberPhone, memberNo }: MemberShown): string =>
  [memberName, memberPhone].filter(Boolean).join(" · ") || memberNo;

/** Name and masked phone, leading to the member's page for whoever may open it. */
export function MemberLink({ of }: { of: MemberShown }): ReactNode {
  const mayOpen = useAct(getMember);
  if (of.memberName === "" && of.memberPhone === "")
    return of.memberId !== null && mayOpen ? <Link to={memberHref(of.memberId)}>准会员</Link> : null;
  const words = memberWords(of);
  return of.memberId !== null && mayOpen ? <Link to={memberHref(of.memberId)}>{words}</Link> : words;
}
/** The column of a list's member, beside the number. Its key is the name's in files. */
export const memberColumn = <Row extends MemberShown>() =>
  columns<Row>().text("memberName" as string, "会员", (row) => <MemberLink of={row} />, { width: 184, keep: true });
