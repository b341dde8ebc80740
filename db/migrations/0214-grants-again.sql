-- What an activity could not give may be tried again.
insert into app.state_edges values ('activity_grant', 'failed', 'owed');
