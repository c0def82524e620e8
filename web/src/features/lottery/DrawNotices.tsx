import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useFollowedDraws } from '../../api/lottery-follow.ts';
import { lotteryGamesQuery } from '../../api/lottery.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { shortNumero } from '../../lib/numero.ts';
import { navigate } from '../../lib/router.tsx';
import { toast } from '../../ui/toastStore.ts';

/** Announces the results of the followed draws on every screen. The event `lottery.settled` reloads the games. */
export default function DrawNotices() {
  const { t } = useLingui();
  const { data: games } = useQuery(lotteryGamesQuery(useLanguage()));
  useFollowedDraws(games, ({ gameName, gameId, simulated }, { numero, winNo }) => {
    const name = shortNumero(numero);
    const text =
      winNo === null
        ? t`${gameName}, draw ${name} is void`
        : simulated
          ? t`${gameName}, draw ${name} by this demo: ${winNo}`
          : t`${gameName}, draw ${name}: ${winNo}`;
    toast.show(text, {
      long: true,
      action: {
        label: t`See`,
        onPress: () => navigate(`/m/lotteryHistory?gameId=${gameId}`),
      },
    });
  });
  return null;
}
