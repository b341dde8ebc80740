import { saidWords } from "@zhangfang/web/level-names.ts";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { Popover } from "@zhangfang/web/show/over/Popover.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { countUnread, listMessages, type Message, messageKind, readMessages } from "../contract.ts";
import "./messages.css";

const EVERY_MS = 60_000;

/** 消息 in the top bar: how many are unread, and each with the list behind it. */
export function Inbox(): ReactNode {
  const unread = useQuery({
    queryKey: [countUnread.path],
    queryFn: async ({ signal }) => (await call(countUnread, {}, { signal, quiet: true })).count,
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: true,
  }).data;
  return (
    <Popover
      tone="quiet"
      className="tray inbox"
      name={unread ? `消息，${unread} 条未读` : "消息"}
      label={
        <span className="tray-mark">
          <Icon name="bell" />
          {unread ? <span className="tray-count num">{unread > 99 ? "99+" : unread}</span> : null}
        </span>
      }
    >
      {(close) => <Messages unread={unread ?? 0} close={close} />}
    </Popover>
  );
}

function Messages({ unread, close }: { unread: number; close: () => void }): ReactNode {
  const client = useQueryClient();
  const found = useInfiniteQuery({
    queryKey: [listMessages.path],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(listMessages, { pageSize: 10, ...(pageParam && { cursor: pageParam }) }, { signal, quiet: true }),
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const read = async (ids?: readonly string[]): Promise<void> => {
    try {
      await call(readMessages, ids ? { ids: [...ids] } : {});
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    await Promise.all([listMessages.path, countUnread.path].map((path) => client.invalidateQueries({ queryKey: [path] })));
  };
  const messages = found.data?.pages.flatMap(({ items }) => items);
  return (
    <>
      <h2 className="inbox-head">
        消息
        {unread > 0 && (
          <Button tone="link" onClick={() => void read()}>
            全部设为已读
          </Button>
        )}
      </h2>
      {found.error && (
        <p className="note" role="alert">
          消息暂时无法读取。
          <Button tone="link" onClick={() => void found.refetch()}>
            重试
          </Button>
        </p>
      )}
      {messages?.length === 0 && <p className="note">没有消息。</p>}
      {messages && messages.length > 0 && (
        <ul>
          {messages.map((message) => (
            <One
              key={message.id}
              message={message}
              onOpen={() => {
                close();
                if (message.readAt === null) void read([message.id]);
              }}
            />
          ))}
          {found.hasNextPage && (
            <li>
              <Button tone="link" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                更早的消息
              </Button>
            </li>
          )}
        </ul>
      )}
    </>
  );
}

function One({ message, onOpen }: { message: Message; onOpen: () => void }): ReactNode {
  return (
    <li className={message.readAt === null ? "inbox-unread" : undefined}>
      <Link to={message.href} onClick={onOpen}>
        {message.readAt === null && <span className="inbox-dot" role="img" aria-label="未读" />}
        {saidWords(message.title)}
      </Link>
      <StatusTag of={messageKind} code={message.kind} />
      <span className="note">
        {message.body && <span className="inbox-body">{saidWords(message.body)}</span>}
        <Time at={message.createdAt} />
      </span>
    </li>
  );
}
