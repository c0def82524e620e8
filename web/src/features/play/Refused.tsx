import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { limitsQuery } from '../../api/limits.ts';
import { describeError, errorOfThrown, wasAnswered } from '../../i18n/api-error.ts';
import { artUrl } from '../../lib/art.ts';
import { formatTime } from '../../lib/dates.ts';
import { goBack, Link } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Empty } from '../../ui/Empty.tsx';
import { emptyAddress } from './words.ts';

import styles from './Refused.module.css';

export type RefusedProps = {
  error: unknown;
  /** Starts the game once more, where that may help. */
  onRetry?: (() => void) | undefined;
};

/** What this app itself says of a game that came without an address that can be shown. */
export const noAddress = 'launch.no_address';

const onBreak = 'limits.excluded';

type Words = { title: string; text?: string; art: string; way?: ReactNode };

/** Why a game does not start, in plain words, each with a way on. */
export function Refused({ error, onRetry }: RefusedProps) {
  const { t, i18n } = useLingui();
  const { code } = errorOfThrown(error);
  const { data: limits } = useQuery({ ...limitsQuery, enabled: code === onBreak });
  const end = limits?.break?.until;
  const until = end ? formatTime(end, i18n.locale) : null;
  const games = (
    <Link to="/m/game" className={buttonClass({ size: 'md' })}>
      {t`Other games`}
    </Link>
  );
  const retry = onRetry && (
    <Button size="md" onPress={onRetry}>
      {t`Try again`}
    </Button>
  );
  const known: Record<string, Words> = {
    'catalogue.unknown_game': {
      title: t`This game is not here any more`,
      art: 'search',
      way: games,
    },
    'vendor.game_unavailable': {
      title: t`This game is switched off`,
      text: t`It may come back. Your balance is untouched.`,
      art: 'soon',
      way: games,
    },
    'vendor.maintenance': {
      title: t`Under maintenance`,
      text: t`The provider is working on its games. Please come back later.`,
      art: 'soon',
      way: games,
    },
    'vendor.not_open': {
      title: t`Not open yet`,
      text: t`Games of this kind cannot be played here yet. Nothing was staked.`,
      art: 'soon',
      way: games,
    },
    'vendor.no_trial': {
      title: t`Not for play money`,
      text: t`This game has no free play. Others have.`,
      art: 'lock',
      way: games,
    },
    [noAddress]: { title: i18n._(emptyAddress), art: 'error' },
    [onBreak]: {
      title: t`You are on a break`,
      text: until
        ? t`You chose a time without play, and it runs until ${until}. You can log in and withdraw.`
        : t`You chose a time without play, and it still runs. You can log in and withdraw.`,
      art: 'lock',
      way: (
        <Link to="/m/member/limits" className={buttonClass({ size: 'md' })}>
          {t`Limits and breaks`}
        </Link>
      ),
    },
  };
  const words = Object.hasOwn(known, code) ? known[code] : undefined;
  return (
    <div className={styles.screen} role="alert">
      <Empty
        art={artUrl(`spots/${words?.art ?? (wasAnswered(error) ? 'error' : 'offline')}.webp`)}
        icon="game-controller"
        title={words?.title ?? t`The game did not start`}
        text={words ? words.text : describeError(error)}
        actions={
          <>
            {words?.way ?? retry ?? games}
            <Button variant="secondary" size="md" onPress={goBack}>
              {t`Back`}
            </Button>
          </>
        }
      />
    </div>
  );
}
