-- Who holds a member's value now, asked at every step of every sale: the members' fences cost more than the answer, and hid from a store
-- that somebody had been merged elsewhere. It tells one id and one yes or no of a member whom the caller names.
alter function app.lock_holder(uuid, uuid, uuid) security definer set app.scope = 'PLATFORM||||||||';
