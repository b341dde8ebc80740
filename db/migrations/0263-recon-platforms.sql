-- 对账 of platforms: group-buy and takeaway beside the channels. Their bills are no files but facts of `platforms` and `takeaway`.
alter table bill_settings drop constraint bill_settings_source_check,
  add constraint bill_settings_source_check check (source in ('wechat', 'alipay', 'dy', 'ks', 'meituan', 'koubei', 'alipay-gb', 'channels', 'ele', 'meituan-wm')
    or source ~ '^acquirer-[1-68]$');
alter table recon_days drop constraint recon_days_source_check,
  add constraint recon_days_source_check check (source in ('wechat', 'alipay', 'dy', 'ks', 'meituan', 'koubei', 'alipay-gb', 'channels', 'ele', 'meituan-wm')
    or source ~ '^acquirer-[1-68]$'),
  -- Uses that were made at the platform without us; uses that no line of a bill pays yet, and what they are expected to bring.
  add column external_count int not null default 0,
  add column pending_count int not null default 0,
  add column pending_cents bigint not null default 0,
  -- The two bills of a platform's day: 核销账单, 结算账单.
  add column has_verify boolean not null default false,
  add column has_ledger boolean not null default false;
-- 1 payment, 2 refund; of platforms 3 use, 4 reversal, 5 line of a bill, 6 takeaway order.
alter table recon_differences drop constraint recon_differences_kind_check,
  add constraint recon_differences_kind_check check (kind between 1 and 6),
  drop constraint recon_differences_class_check,
  add constraint recon_differences_class_check check (class in ('amount', 'fee', 'status', 'channel-only', 'ours-only', 'uneven')),
  drop constraint recon_differences_hint_check,
  add constraint recon_differences_hint_check check (hint in ('unknown', 'unpaid', 'twice', 'other-day', 'midnight', 'unmapped', 'unfetched', 'unsettled',
    'still-paid', 'running'));
