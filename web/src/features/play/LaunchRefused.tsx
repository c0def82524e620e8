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
import { emptyUrl } from './messages.ts';

import styles from './LaunchRefused.module.css';

export type LaunchRefusedProps = {
  error: unknown;
  /** Launches the game again. Undefined if a retry cannot help. */
  onRetry?: (() => void) | undefined;
};

/** The app's own error code for a launch without a usable URL. */
export const noUrl = 'launch.no_address';

const onBreak = 'limits.excluded';

type Explanation = { title: string; text?: string; art: string; action?: ReactNode };

export function LaunchRefused({ error, onRetry }: LaunchRefusedProps) {
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
  const explanations: Record<string, Explanation> = {
    'catalogue.unknown_game': {
      title: t`This game is not here any more`,
      art: 'search',
      action: games,
    },
    'vendor.game_unavailable': {
      title: t`This game is switched off`,
      text: t`It may come back. Your balance is untouched.`,
      art: 'soon',
      action: games,
    },
    'vendor.maintenance': {
      title: t`Under maintenance`,
      text: t`The provider is working on its games. Please come back later.`,
      art: 'soon',
      action: games,
    },
    'vendor.not_open': {
      title: t`Not open yet`,
      text: t`Games of this kind cannot be played here yet. Nothing was staked.`,
      art: 'soon',
      action: games,
    },
    'vendor.no_trial': {
      title: t`Not for play money`,
      text: t`This game has no free play. Others have.`,
      art: 'lock',
      action: games,
    },
    [noUrl]: { title: i18n._(emptyUrl), art: 'error' },
    [onBreak]: {
      title: t`You are on a break`,
      text: until
        ? t`You chose a time without play, and it runs until ${until}. You can log in and withdraw.`
        : t`You chose a time without play, and it still runs. You can log in and withdraw.`,
      art: 'lock',
      action: (
        <Link to="/m/member/limits" className={buttonClass({ size: 'md' })}>
          {t`Limits and breaks`}
        </Link>
      ),
    },
  };
  const known = Object.hasOwn(explanations, code) ? explanations[code] : undefined;
  return (
    <div className={styles.screen} role="alert">
      <Empty
        art={artUrl(`spots/${known?.art ?? (wasAnswered(error) ? 'error' : 'offline')}.webp`)}
        icon="game-controller"
        title={known?.title ?? t`The game did not start`}
        text={known ? known.text : describeError(error)}
        actions={
          <>
            {known?.action ?? retry ?? games}
            <Button variant="secondary" size="md" onPress={goBack}>
              {t`Back`}
            </Button>
          </>
        }
      />
    </div>
  );
}
