-- Wrong codes of members and of times cards count beside those of coupons: one table for what is read at a store.
-- Keys: what kind of code, and the store's id or the number that the code names.
alter table coupon_code_faults rename to code_faults;
alter index coupon_code_faults_pkey rename to code_faults_pkey;
alter index coupon_code_faults_old rename to code_faults_old;
