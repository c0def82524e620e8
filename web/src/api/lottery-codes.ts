// What the wire calls the lottery's own things. Each stands here and nowhere else.

/** The client that its games are asked for with: a browser. */
export const lotteryClient = '2';
