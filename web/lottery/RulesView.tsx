import { useLingui } from '@lingui/react/macro';

import { formatNumber } from '../src/lib/money.ts';
import { useLoad } from '../src/lib/useLoad.ts';
import { QueryView } from '../src/ui/display/QueryView.tsx';
import { Segmented } from '../src/ui/Segmented.tsx';
import { Skeleton } from '../src/ui/Skeleton.tsx';
import { lottery } from './api.ts';
import { useGameContext, useTranslate } from './context.ts';
import { formatOdds } from './Picker.tsx';
import { optionText, playName, playRule } from './play-texts.ts';
import { oneIn, percentOf } from './price.ts';
import type { Outcome, Play } from './wire.ts';

import styles from './RulesView.module.css';

export type RulesViewProps = { prizeMode: string; onPrizeMode: (mode: string) => void };

/** Shows when each bet wins, its odds, its chance and its return. */
export function RulesView({ prizeMode, onPrizeMode }: RulesViewProps) {
  const { t, i18n } = useLingui();
  const { game } = useGameContext();
  const plays = useLoad(`${game.gameId} trad ${prizeMode} ${i18n.locale}`, () =>
    lottery.plays(game.gameId, 'trad', prizeMode),
  );
  return (
    <div className={styles.view}>
      {game.prizeModes.length > 1 && (
        <Segmented
          size="sm"
          label={t`Price list`}
          options={game.prizeModes.map((mode) => ({
            value: mode,
            label: mode === 'ZY' ? t`ZY, with 1.5 % back` : mode,
          }))}
          value={prizeMode}
          onChange={onPrizeMode}
        />
      )}
      <ul className={styles.notes}>
        <li>{t`Odds are what one unit of stake returns, stake included.`}</li>
        <li>{t`A bet costs its lines × stake × multiple. For lô it costs this once for each prize that can win.`}</li>
        <li>{t`ZY has lower odds and pays 1.5 % of every won or lost stake back.`}</li>
        <li>{t`Return is the share of the stakes that comes back on average. In the long run players lose the rest.`}</li>
        {game.type === 'regional' ? (
          <li>
            {game.simulated
              ? t`This demo draws this game itself. The results are not those of the real draw.`
              : t`Results are those of the public draw. Two operators enter and confirm them.`}
          </li>
        ) : (
          <li>{t`Draws come from seeds that were fixed before the first draw. You can check each one.`}</li>
        )}
      </ul>
      <QueryView query={plays} skeleton={<Skeleton shape="box" height={400} />}>
        {(list) => list.map((play) => <PlayRules key={play.playCode} play={play} />)}
      </QueryView>
    </div>
  );
}

function PlayRules({ play }: { play: Play }) {
  const { t } = useLingui();
  const translate = useTranslate();
  const { game } = useGameContext();
  const rule = playRule(game.type, play.playCode);
  const { odds, chance, rtp } = play;
  const rows: Outcome[] =
    play.outcomes ??
    (odds !== undefined && chance !== undefined && rtp !== undefined
      ? [{ when: '', odds, chance, rtp }]
      : []);
  return (
    <section className={styles.play}>
      <h3>{translate(playName(game.type, play.playCode))}</h3>
      {rule && <p>{translate(rule)}</p>}
      <table>
        <thead>
          <tr>
            {play.outcomes && <th scope="col">{t`Bet`}</th>}
            <th scope="col">{t`Odds`}</th>
            <th scope="col">{play.prizes > 1 ? t`Chance per prize` : t`Chance`}</th>
            <th scope="col">{t`Return`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((outcome) => (
            <OutcomeRow key={outcome.when} outcome={outcome} isNamed={Boolean(play.outcomes)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function OutcomeRow({ outcome, isNamed }: { outcome: Outcome; isNamed: boolean }) {
  const { t, i18n } = useLingui();
  const translate = useTranslate();
  const { when, odds, chance, rtp } = outcome;
  const language = i18n.locale;
  const n = oneIn(chance);
  const times = formatNumber(n.toFixed(n < 1000 ? 2 : 0), {
    pattern: n < 1000 ? '#,##0.00' : '#,##0',
    language,
    decimals: 'needed',
  });
  return (
    <tr>
      {isNamed && <th scope="row">{translate(optionText(when))}</th>}
      <td dir="ltr">{formatOdds(odds, language)}</td>
      <td>{t`1 in ${times}`}</td>
      <td dir="ltr">{formatNumber(percentOf(rtp), { pattern: '#,##0.00', language })}%</td>
    </tr>
  );
}
