-- Which order a sheet said was cancelled by mistake, a sheet says is completed: a person's word, written down. What an interface told has no way back.
drop trigger guard_edge on takeaway_orders;
create trigger guard_edge before update of status on takeaway_orders for each row
  when (not (old.status = 3 and new.status = 2 and old.source = 'sheet' and new.source = 'sheet'))
  execute function app.guard_edge('takeaway_order');
