-- Uses that wait are read along their moments (0460), whose days are theirs: the index of days made the plan for all values read a month's uses, and
-- sort them, for a page of twenty (25 ms at 30,000 of them; 0.5 now).
drop index vouchers_waiting_day;
