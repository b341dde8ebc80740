import { type ReactNode, Suspense, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import { DetailScreen, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { More } from "@zhangfang/web/show/over/Popover.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  closeMember,
  decideMerge,
  freezeMember,
  getMember,
  getMemberAccount,
  getMemberTimeline,
  keepMember,
  listMembers,
  memberEventKind,
  memberSex,
  memberSource,
  memberStage,
  memberStatus,
  mergeMembers,
  resetMemberPin,
  revealMember,
  sendPoints,
  setMemberIdCard,
  setMemberRemark,
  summariseMembers,
  updateMember,
} from "../contract/index.ts";
import { MemberAccounts } from "./MemberAccounts.tsx";
import { memberActs } from "./member-acts.ts";
import { listedMembers } from "./listed.ts";
import { memberHref } from "./member-href.ts";
import {
  CloseDrawer,
  EditMemberDrawer,
  FreezeDrawer,
  IdCardDrawer,
  MergeDrawer,
  PointsDrawer,
  RemarkDrawer,
  ResetPinDrawer,
} from "./form/MemberForms.tsx";
import "./members.css";

type Member = OutputOf<typeof getMember>;

/** 会员详情: who this is, what it is worth, what it holds, and what happened. */
export function MemberScreen(): ReactNode {
  const id = new URLSearchParams(useLocation().search).get("id");
  const member = useDetail(getMember, id ? { id } : undefined);
  const shown = member.data;
  useScreenTitle(shown && `会员 · ${shown.name || shown.memberNo}`);
  if (id === null) return <Empty text="请从微信会员中打开一位会员" action={<Link to="/member/member">微信会员</Link>} />;
  if (!shown)
    return (
      <DetailScreen title="会员详情" list={["/member/member", "微信会员"]} of={member}>
        {() => null}
      </DetailScreen>
    );
  return <Page key={shown.id} member={shown} />;
}

function Page({ member: m }: { member: Member }): ReactNode {
  return (
    <section className="member-page" aria-label="会员详情">
      <header className="screen-head">
        <h1>
          {m.name || "未留姓名"} {m.level && <span className="tag">{m.level}</span>} <StatusTag of={memberStatus} code={m.status} />
          {m.stage === 0 && m.status < 4 && <StatusTag of={memberStage} code={m.stage} />}
        </h1>
        <div className="screen-acts">
          <Beside id={m.id} />
          <Acts member={m} />
        </div>
      </header>
      <Who member={m} />
      {m.merging && <Merging member={m} merging={m.merging} />}
      <StatCards stats={worthOf(m)} />
      <div className="member-columns">
        <MemberAccounts member={m} />
        <Events id={m.id} />
      </div>
    </section>
  );
}

/** 待审核的合并: another than who asked decides; who asked takes it back. */
function Merging({ member: m, merging }: { member: Member; merging: NonNullable<Member["merging"]> }): ReactNode {
  const navigate = useNavigate();
  const [busy, run] = useRun([getMember, getMemberTimeline, getMemberAccount, listMembers, summariseMembers]);
  const decide = async (approve: boolean): Promise<void> => {
    const words = approve ? `把会员 ${m.memberNo} 并入 ${merging.intoNo}？合并后不能撤回。` : "不合并这两位会员？";
    const no = merging.mayDecide ? "驳回" : "撤回";
    if (!(await confirm(words, { ok: approve ? "同意合并" : no, danger: approve }))) return;
    await run(async () => {
      const { id } = await call(decideMerge, { id: merging.id, approve });
      success(approve ? "已合并" : `已${no}`);
      if (approve) void navigate(memberHref(id));
    });
  };
  return (
    <p className="member-who">
      <span className="member-warn">
        {merging.askedBy} 申请并入会员 {merging.intoNo}：{merging.reason}
      </span>
      <Act of={decideMerge}>
        {merging.mayDecide && (
          <Button busy={busy} tone="danger" onClick={() => void decide(true)}>
            同意合并
          </Button>
        )}
        <Button busy={busy} onClick={() => void decide(false)}>
          {merging.mayDecide ? "驳回" : "撤回"}
        </Button>
      </Act>
    </p>
  );
}

/** ‹ ›: the neighbours in the list as it was shown last; the open account stays. */
function Beside({ id }: { id: string }): ReactNode {
  const { search } = useLocation();
  const navigate = useNavigate();
  const ids = listedMembers();
  if (!ids.includes(id)) return null;
  const account = new URLSearchParams(search).get("account");
  const open = (next: string): void => void navigate(memberHref(next) + (account === null ? "" : `&account=${account}`), { replace: true });
  return <Neighbours of={{ openId: id, rows: ids.map((one) => ({ id: one })), open }} />;
}

function Who({ member: m }: { member: Member }): ReactNode {
  const [reveal, remark] = [usePanel("reveal"), usePanel("remark")];
  return (
    <p className="member-who">
      <span>
        {m.phone || "没留手机号"}
        {m.phone !== "" && !m.confirmed && <span className="note">（未确认）</span>}{" "}
        {m.status < 4 && (
          <Act of={revealMember}>
            <Button tone="link" onClick={() => reveal.open(m.id)}>
              查看完整信息
            </Button>
          </Act>
        )}
      </span>
      <span>会员号 {m.memberNo}</span>
      {(m.sex !== null || m.birthday !== null) && (
        <span>{[m.sex && memberSex.label(m.sex), m.birthday && `${m.birthday}生日`].filter(Boolean).join("，")}</span>
      )}
      <span>
        <Time at={m.createdAt} /> 在{m.homeStore ?? m.merchantName}入会，{memberSource.label(m.source)}
      </span>
      <span>
        {[m.remark, m.tags.join("、")].filter(Boolean).join(" · ") || "没有备注"}{" "}
        {m.status < 4 && (
          <Act of={setMemberRemark}>
            <Button tone="link" onClick={() => remark.open(m.id)}>
              备注
            </Button>
          </Act>
        )}
      </span>
      {m.status === 3 && <span className="member-warn">{m.closeOn} 注销</span>}
      {m.mergedInto !== null && <Link to={memberHref(m.mergedInto)}>已并入另一位会员</Link>}
      {m.stage === 0 && m.status < 4 && (
        <span className="member-warn">{m.phone === "" ? "还没留手机号" : "手机号还没确认"}，能攒积分，不能充值和使用</span>
      )}
      {reveal.id && reveal.id !== "new" && <RevealDrawer id={reveal.id} onClose={reveal.close} />}
      {remark.id && remark.id !== "new" && <RemarkDrawer id={remark.id} onClose={remark.close} />}
    </p>
  );
}

/** 查看完整信息: the reason first, then what was asked for, until the drawer is closed. */
function RevealDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const [shown, show] = useState<OutputOf<typeof revealMember>>();
  const form = useForm(revealMember, { initial: { id }, draft: false, refreshes: [getMemberTimeline], onDone: show });
  if (shown)
    return (
      <Drawer title="完整信息" onClose={onClose}>
        <dl className="pairs">
          <div>
            <dt>姓名</dt>
            <dd>{shown.name || "—"}</dd>
          </div>
          <div>
            <dt>手机号</dt>
            <dd>{shown.phone || "—"}</dd>
          </div>
          <div>
            <dt>生日</dt>
            <dd>{shown.birthday ?? "—"}</dd>
          </div>
          <div>
            <dt>证件号</dt>
            <dd>{shown.idCard || "—"}</dd>
          </div>
          {shown.form.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p className="note">这次查看已记入操作日志和会员时间线。</p>
      </Drawer>
    );
  return (
    <FormDrawer form={form} title="查看完整信息" submit="查看" onClose={onClose}>
      <Field of={form.field("reason")} label="查看原因" help="会记入操作日志和会员时间线">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={64} placeholder="如：联系顾客改预约" />}
      </Field>
    </FormDrawer>
  );
}

const percentOf = (part: number, whole: number): string => `${((part * 100) / whole).toFixed(1)} %`;
function worthOf(m: Member) {
  const change = m.visits90 - m.visitsBefore90;
  return [
    {
      label: "累计消费（元）",
      value: <Money cents={m.spentCents} />,
      more: `${m.visits} 次，已减退款`,
      definition: "实付和用掉的储值本金，减去退款；赠送不算",
    },
    {
      label: "客单价（元）",
      value: m.averageCents === null ? "—" : <Money cents={m.averageCents} />,
      more: m.merchantAverageCents === null ? "会员平均 —" : <>会员平均 {<Money cents={m.merchantAverageCents} />}</>,
    },
    {
      label: "近 90 天",
      value: `${m.visits90} 次`,
      more: change === 0 ? "与前 90 天持平" : `比前 90 天${change > 0 ? "多" : "少"} ${Math.abs(change)} 次`,
    },
    {
      label: "上次到店",
      value: m.lastVisitAt === null ? "—" : shanghaiTime(m.lastVisitAt).slice(5, 16),
      more: m.lastVisitAt === null ? "还没来过" : `${m.lastStore ?? ""}，常去${m.usualStore ?? "—"}（${m.usualVisits} 次）`,
    },
    {
      label: "优惠成本（元）",
      value: <Money cents={m.offCents} />,
      more: m.spentCents > 0 ? `占消费 ${percentOf(m.offCents, m.spentCents)}` : "还没有消费",
      definition: "这位会员的订单上减掉的优惠",
    },
  ];
}

function Acts({ member: m }: { member: Member }): ReactNode {
  const [edit, points] = [usePanel("edit"), usePanel("points")];
  const [busy, run] = useRun([getMember, getMemberTimeline, listMembers, summariseMembers]);
  const keep = async (): Promise<void> => {
    if (!(await confirm("撤回注销？会员恢复正常。", { ok: "撤回" }))) return;
    await run(async () => {
      await call(keepMember, { id: m.id });
      success("已撤回注销");
    });
  };
  return (
    <>
      {m.status === 3 && (
        <Act of={keepMember}>
          <Button busy={busy} onClick={() => void keep()}>
            撤回注销
          </Button>
        </Act>
      )}
      {m.status < 3 && (
        <Act of={sendPoints}>
          <Button onClick={() => points.open(m.id)}>发积分</Button>
        </Act>
      )}
      {m.status < 4 && (
        <Act of={updateMember}>
          <Button onClick={() => edit.open(m.id)}>修改资料</Button>
        </Act>
      )}
      {m.status === 1 && <OthersActs member={m} />}
      <MoreActs member={m} />
      {edit.id && <EditMemberDrawer member={m} onClose={edit.close} />}
      {points.id && <PointsDrawer ids={[m.id]} onClose={points.close} />}
    </>
  );
}

/** What other rooms do to one member: 改余额, 积分调整. */
function OthersActs({ member: m }: { member: Member }): ReactNode {
  const panel = usePanel("act");
  const acts = memberActs().filter(({ whole }) => m.stage === 1 || !whole);
  const open = acts.find(({ title }) => title === panel.id);
  return (
    <>
      {acts.map(({ title, of }) => (
        <Act key={title} of={of}>
          <Button onClick={() => panel.open(title)}>{title}</Button>
        </Act>
      ))}
      {open && (
        <Suspense fallback={null}>
          <open.Drawer memberNo={m.memberNo} onClose={panel.close} />
        </Suspense>
      )}
    </>
  );
}

/** What is done seldom, and what nothing brings back. */
function MoreActs({ member: m }: { member: Member }): ReactNode {
  const [freeze, close, merge, pin] = [usePanel("freeze"), usePanel("close"), usePanel("merge"), usePanel("pin")];
  const card = usePanel("id-card");
  const navigate = useNavigate();
  const may = {
    freeze: useAct(freezeMember),
    close: useAct(closeMember),
    merge: useAct(mergeMembers),
    pin: useAct(resetMemberPin),
    card: useAct(setMemberIdCard),
  };
  return (
    <>
      {m.status < 4 && (may.freeze || may.pin || may.card || may.merge || may.close) && (
        <More>
          {may.freeze && m.status < 3 && (
            <Button tone="link" onClick={() => freeze.open(m.id)}>
              {m.status === 2 ? "解除冻结" : "冻结"}
            </Button>
          )}
          {may.card && m.status === 1 && m.stage === 1 && (
            <Button tone="link" onClick={() => card.open(m.id)}>
              登记证件号
            </Button>
          )}
          {may.pin && (
            <Button tone="link" onClick={() => pin.open(m.id)}>
              重置支付密码
            </Button>
          )}
          {may.merge && m.status === 1 && (
            <Button tone="link" onClick={() => merge.open(m.id)}>
              合并会员
            </Button>
          )}
          {may.close && m.status === 1 && (
            <Button tone="link" onClick={() => close.open(m.id)}>
              注销
            </Button>
          )}
        </More>
      )}
      {freeze.id && <FreezeDrawer member={m} onClose={freeze.close} />}
      {close.id && <CloseDrawer member={m} onClose={close.close} />}
      {merge.id && <MergeDrawer member={m} onClose={merge.close} onMerged={(id) => void navigate(memberHref(id))} />}
      {card.id && <IdCardDrawer member={m} onClose={card.close} />}
      {pin.id && <ResetPinDrawer member={m} onClose={pin.close} />}
    </>
  );
}

function Events({ id }: { id: string }): ReactNode {
  const [all, setAll] = useState(false);
  const timeline = useDetail(getMemberTimeline, { id, all });
  return (
    <section className="sheet member-events" aria-label="时间线">
      <h2>
        时间线{" "}
        <Act of={["/dataCentre/payOrder"]}>
          <Link className="text-link" to={`/dataCentre/payOrder?memberId=${id}&from=&to=`}>
            全部订单
          </Link>
        </Act>
      </h2>
      <Loaded of={timeline}>
        {({ items, more }) => (
          <>
            <Timeline
              items={items.map((item) => ({
                title:
                  item.kind === "order" ? (
                    <Link to={`/dataCentre/payOrder?id=${item.orderId}`}>
                      消费 <Money cents={item.cents} />
                    </Link>
                  ) : (
                    memberEventKind.label(item.kind)
                  ),
                at: item.at,
                tone: memberEventKind.tone(item.kind),
                note: [item.place, item.said, item.byName].filter(Boolean).join(" · "),
              }))}
            />
            {more && !all && (
              <Button small onClick={() => setAll(true)}>
                更早的
              </Button>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
