-- Payments that waited for the new table's name write to it as they began: with this, in a transaction of its own, they are over.
lock table number_search in share mode;
lock table number_search_before in share mode;
