-- applyment.changed: an application came into another state; code, state and the number that it ended with, nothing personal.
create trigger "push applyment.changed" after update of state on applyments for each row when (new.state <> old.state)
  execute function app.push_fact('applyment.changed', 'state_at', 'code', 'state', 'sub_mch_id');
