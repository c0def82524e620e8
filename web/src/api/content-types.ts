// Types of content on the wire, and the groups of banners. Each stands here and nowhere else.

export const agentNotice = 'A';
export const playerNotice = 'PL';
export const banner = 'B';
export const popup = 'PU';

export const homeGroup = 'm_home';
export const liveGroup = 'm_live';
export const registerGroup = 'm_reg';
