import { useQuery } from '@tanstack/react-query';

import { lotteryGamesQuery } from '../../api/lottery.ts';
import { useLanguage } from '../../i18n/runtime.ts';

/** The games with their current draws. */
export const useLotteryGames = () => useQuery(lotteryGamesQuery(useLanguage()));
