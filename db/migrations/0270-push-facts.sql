-- Which facts are told. The trigger of a fact writes the event and its deliveries in the fact's own transaction: there is an event exactly
-- where the fact is committed, whichever way it came, and nobody has to remember to say so. Where a provider has no endpoint it is one look
-- into an index of a few rows, inside the statement that runs anyway.

-- An endpoint's own test goes to it alone, whatever it listens to.
create function app.push(to_provider uuid, given_type text, of_merchant uuid, object uuid, at timestamptz, facts text, about text, only_endpoint uuid default null)
  returns uuid language plpgsql volatile security definer set search_path = pg_catalog, public, app set app.scope = 'PLATFORM||||||||'
  set timezone = 'Asia/Shanghai' as $$
declare
  event uuid := gen_random_uuid();
  -- When it is written down, which may be long after the fact: a refund that is found after a month.
  written timestamptz := clock_timestamp();
  next_version int;
  said text;
  receivers uuid[];
  off boolean[];
begin
  -- Read once: whoever is removed in this moment still gets it, and there is no event without a delivery.
  select array_agg(e.id), array_agg(e.state = 'disabled' and only_endpoint is null) into receivers, off
    from push_endpoints e where e.service_provider_id = to_provider and case when only_endpoint is null
      then e.state <> 'removed' and given_type = any(e.events) and (e.merchant_ids is null or of_merchant = any(e.merchant_ids)) else e.id = only_endpoint end;
  if receivers is null then return null; end if;
  -- Whoever changes the object holds its row, so that two of them come one after the other here too.
  insert into push_versions as v (service_provider_id, object_id, version) values (to_provider, object, 1)
    on conflict (service_provider_id, object_id) do update set version = v.version + 1 returning version into next_version;
  said := '{"type":' || to_json(given_type) || ',"timestamp":' || to_json(date_trunc('milliseconds', at)) || ',"data":{"version":' || next_version
    || ',"id":"' || object || '"' || facts || '}}';
  insert into push_events (service_provider_id, id, type, merchant_id, object_id, version, body, bytes, sha256, created_at)
    values (to_provider, event, given_type, of_merchant, object, next_version, said, octet_length(said), sha256(convert_to(said, 'UTF8')), written);
  insert into push_deliveries (service_provider_id, id, event_id, endpoint_id, type, merchant_id, object_id, about, state, next_at, created_at,
      settled_at)
    select to_provider, gen_random_uuid(), event, r.id, given_type, of_merchant, object, push.about,
      case when r.off then 'abandoned' else 'waiting' end, 'epoch', written, case when r.off then written end
    from unnest(receivers, off) as r (id, off);
  return event;
end $$;

-- The first argument is the type, the second the column of the moment ('' where the row has none), then the columns that are told.
create function app.push_fact() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, public, app
  set app.scope = 'PLATFORM||||||||' set timezone = 'Asia/Shanghai' as $$
declare
  row jsonb;
  facts text;
  merchant uuid;
  more record;
begin
  if not exists (select 1 from push_endpoints e where e.service_provider_id = new.service_provider_id and e.state <> 'removed'
    and tg_argv[0] = any(e.events)) then return null; end if;
  row := to_jsonb(new);
  -- What the platform issued where that is another sum than was asked for; its tax is not known.
  if tg_table_name = 'invoices' and row ->> 'issued_cents' is not null then
    row := row || jsonb_build_object('total_cents', row -> 'issued_cents', 'tax_cents', null);
  end if;
  merchant := case when tg_table_name = 'merchants' then row ->> 'id' else row ->> 'merchant_id' end;
  select coalesce(string_agg(',' || to_json(named.name) || ':' || coalesce(row -> named.name, 'null'), '' order by named.place), '') into facts
    from unnest(tg_argv[2:]) with ordinality as named (name, place);
  select m.number as merchant_no, s.number as store_no, o.order_no into more
    from (select 1) one
      left join merchants m on m.service_provider_id = new.service_provider_id and m.id = merchant
      left join stores s on s.service_provider_id = new.service_provider_id
        and s.id = case when tg_table_name = 'stores' then row ->> 'id' else row ->> 'store_id' end::uuid
      left join pay_orders o on o.service_provider_id = new.service_provider_id and o.id = (row ->> 'order_id')::uuid;
  if more.order_no is not null then facts := facts || ',"order_no":' || to_json(more.order_no); end if;
  if more.merchant_no is not null then facts := facts || ',"merchant_no":' || to_json(more.merchant_no); end if;
  if more.store_no is not null then facts := facts || ',"store_no":' || to_json(more.store_no); end if;
  perform app.push(new.service_provider_id, tg_argv[0], merchant, case when tg_table_name = 'device_outages' then row ->> 'device_id' else row ->> 'id' end::uuid,
    coalesce((row ->> nullif(tg_argv[1], ''))::timestamptz, clock_timestamp()), facts,
    case when tg_table_name in ('products', 'device_outages', 'wx_fans') then '' else coalesce(row ->> tg_argv[2], '') end);
  return null;
end $$;

create procedure app.push_when(t regclass, type text, became text, at text, columns text[], inserted text default null) language plpgsql as $$
declare args text := (select string_agg(quote_literal(x), ', ' order by n) from unnest(array[type, at] || columns) with ordinality as a (x, n));
begin
  if became is not null then
    execute format('create trigger %I after update on %s for each row when (%s) execute function app.push_fact(%s)', 'push ' || type, t, became, args);
  end if;
  if inserted is not null then
    execute format('create trigger %I after insert on %s for each row when (%s) execute function app.push_fact(%s)', 'push new ' || type, t, inserted, args);
  end if;
end $$;

call app.push_when('pay_orders', 'order.paid', 'new.status = 2 and old.status in (0, 1)', 'paid_at',
  array['order_no', 'till_no', 'status', 'channel', 'gross_cents', 'paid_cents', 'discount_cents', 'paid_at'], 'new.status = 2');
call app.push_when('pay_orders', 'order.closed', 'new.status = 1 and old.status <> 1', 'closed_at', array['order_no', 'till_no', 'status', 'gross_cents', 'closed_at']);
call app.push_when('pay_orders', 'order.refunded', 'new.status = 3 and old.status <> 3', '', array['order_no', 'till_no', 'status', 'paid_cents', 'refunded_cents']);
call app.push_when('refunds', 'refund.succeeded', 'new.status = 2 and old.status <> 2', 'finished_at',
  array['refund_no', 'status', 'amount_cents', 'value_cents', 'finished_at'], 'new.status = 2');
call app.push_when('refunds', 'refund.failed', 'new.status = 3 and old.status <> 3', 'finished_at', array['refund_no', 'status', 'amount_cents', 'value_cents']);
call app.push_when('mall_orders', 'mall_order.shipped', 'new.status = 2 and old.status <> 2', 'shipped_at',
  array['mall_no', 'status', 'goods_cents', 'delivery_cents', 'carrier', 'tracking_no', 'shipped_at']);
call app.push_when('sharing_orders', 'share.done', 'new.status = 2 and old.status <> 2 and new.kind = ''share''', 'finished_at',
  array['share_no', 'status', 'amount_cents', 'shared_cents', 'finished_at']);
call app.push_when('sharing_orders', 'share.failed', 'new.status = 3 and old.status <> 3 and new.kind = ''share''', 'finished_at',
  array['share_no', 'status', 'amount_cents', 'shared_cents']);
call app.push_when('withdrawals', 'withdrawal.paid', 'new.status = 3 and old.status <> 3', 'finished_at',
  array['withdrawal_no', 'status', 'receiver', 'receiver_id', 'amount_cents', 'fee_cents', 'net_cents', 'finished_at']);
call app.push_when('withdrawals', 'withdrawal.failed', 'new.status in (4, 6) and old.status not in (4, 6)', 'finished_at',
  array['withdrawal_no', 'status', 'receiver', 'receiver_id', 'amount_cents', 'fee_cents', 'net_cents']);
call app.push_when('voucher_verifications', 'voucher.verified', 'new.status = 1 and old.status in (0, 3, 4)', 'settled_at',
  array['certificate_id', 'verify_id', 'platform', 'status', 'face_cents', 'pay_cents', 'merchant_ticket_cents', 'platform_ticket_cents', 'verified_at']);
call app.push_when('voucher_verifications', 'voucher.reversed', 'new.status = 6 and old.status <> 6', 'reversed_at',
  array['certificate_id', 'verify_id', 'platform', 'status', 'face_cents', 'pay_cents', 'reversed_at']);
call app.push_when('takeaway_orders', 'takeaway.completed', 'new.status = 2 and old.status <> 2', 'updated_at',
  array['platform_order_id', 'platform', 'status', 'paid_cents', 'income_cents', 'fee_cents', 'completed_at'], 'new.status = 2');
call app.push_when('invoices', 'invoice.issued', 'new.status = 2 and old.status = 1', 'issued_at',
  array['number', 'status', 'kind', 'invoice_no', 'total_cents', 'tax_cents', 'issued_at']);
call app.push_when('invoices', 'invoice.reversed', 'new.status = 5 and old.status <> 5', '', array['number', 'status', 'kind', 'invoice_no', 'total_cents', 'tax_cents']);
call app.push_when('invoices', 'invoice.failed', 'new.status = 3 and old.status <> 3', '', array['number', 'status', 'kind', 'total_cents', 'tax_cents']);
call app.push_when('merchants', 'merchant.changed', 'new.version <> old.version or new.state <> old.state', '', array['number', 'state', 'fee_rate'], 'true');
call app.push_when('stores', 'store.changed', 'new.version <> old.version or new.state <> old.state', '', array['number', 'state'], 'true');
call app.push_when('products', 'product.changed', 'new.revision <> old.revision or new.withdrawn <> old.withdrawn or (new.retired_at is null) <> (old.retired_at is null)', '',
  array['revision', 'withdrawn', 'retired_at'], 'true');
call app.push_when('device_outages', 'device.offline', null, 'told_at', array['since'], 'true');
call app.push_when('wx_fans', 'fan.subscribed', 'new.following and not old.following', 'changed_at', array['app_row', 'following', 'changed_at'], 'new.following');
call app.push_when('recon_days', 'recon_day.closed', 'new.status = ''closed'' and old.status <> ''closed''', 'closed_at',
  array['day', 'source', 'status', 'bill_pay_cents', 'bill_pay_count', 'bill_refund_cents', 'bill_refund_count', 'settled_cents', 'closed_at']);
drop procedure app.push_when;
