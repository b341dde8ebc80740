-- What follows an order's money for its member is one job now, asked for by one hearer: who was behind is told under its name.
update unheard set hearer = '会员' where hearer = '积分';
