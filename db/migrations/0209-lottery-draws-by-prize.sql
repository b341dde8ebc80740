-- The newest winning draws of one prize: 公示 shows those over 500.00, of many that won less.
create index lottery_draws_prize on lottery_draws (service_provider_id, lottery_id, prize, draw_no desc) where prize > 0;
