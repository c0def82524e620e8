import { useLingui } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Table, TextInput, Title } from '@mantine/core';

import { ActionButton, type Change } from '../../action/ActionButton.tsx';
import { NewerVersion } from '../../object/NewerVersion.tsx';
import { useDraft } from '../../object/useDraft.ts';
import { lotteryPath, lotteryPermission } from './draws.tsx';
import { chanceText, isTooHigh, returnOf, type Game, type Play } from './games.tsx';

type Odds = Record<string, string>;

/** Changes the odds of a play. It shows the return of each outcome while the operator types. */
export function OddsForm({ game, play }: { game: Game; play: Play }) {
  const { t } = useLingui();
  const playOf = ({ plays }: Game): Play =>
    plays.find(
      ({ prizeMode, playCode }) => prizeMode === play.prizeMode && playCode === play.playCode,
    ) ?? play;
  const form = useDraft<Game, Odds>(game, (value) =>
    Object.fromEntries(playOf(value).outcomes.map((outcome) => [outcome.when, outcome.odds])),
  );
  const { base, draft: odds } = form;
  const oddsOf = (when: string): string => (odds[when] ?? '').trim();
  const withReturn = (value: string, share: string): string => t`${value}, return ${share}`;
  const changes: Change[] = playOf(base)
    .outcomes.filter(({ when, odds: current }) => oddsOf(when) !== current)
    .map(({ when, odds: current, rtp, chance }) => ({
      label: when || play.name,
      before: withReturn(current, rtp),
      after: withReturn(
        oddsOf(when),
        returnOf(oddsOf(when), { chance, rebate: play.rebate }) ?? '–',
      ),
    }));
  const hasInvalidOdds = play.outcomes.some(({ when, highest }) =>
    isTooHigh(oddsOf(when), highest),
  );
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {play.playCode}: {play.name} ({play.prizeMode})
        </Title>
        <Table.ScrollContainer minWidth={520}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Outcome`}</Table.Th>
                <Table.Th ta="end">{t`Chance`}</Table.Th>
                <Table.Th>{t`Odds`}</Table.Th>
                <Table.Th ta="end">{t`Return to players`}</Table.Th>
                <Table.Th ta="end">{t`Highest odds`}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {play.outcomes.map(({ when, chance, highest }) => (
                <Table.Tr key={when}>
                  <Table.Td>{when || '–'}</Table.Td>
                  <Table.Td ta="end">{chanceText(chance)}</Table.Td>
                  <Table.Td>
                    <TextInput
                      aria-label={when ? t`Odds of ${when}` : t`Odds`}
                      inputMode="decimal"
                      maxLength={20}
                      value={odds[when] ?? ''}
                      error={
                        isTooHigh(oddsOf(when), highest) &&
                        t`Enter odds up to ${highest}, with at most three places.`
                      }
                      onChange={(event) => {
                        const { value } = event.currentTarget;
                        form.change({ [when]: value });
                      }}
                    />
                  </Table.Td>
                  <Table.Td ta="end">
                    {returnOf(oddsOf(when), { chance, rebate: play.rebate }) ?? '–'}
                  </Table.Td>
                  <Table.Td ta="end">{highest}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {form.isOutdated && <NewerVersion onLoad={() => form.load(game)} />}
        <Group justify="end">
          <Button
            variant="default"
            onClick={() =>
              form.change(
                Object.fromEntries(
                  play.outcomes.map((outcome) => [outcome.when, outcome.standard]),
                ),
              )
            }
          >
            {t`Standard odds`}
          </Button>
          <ActionButton<Game>
            label={t`Save the odds`}
            variant="filled"
            permission={lotteryPermission}
            path={`${lotteryPath}/games/${game.id}/odds`}
            body={{
              version: base.version,
              prizeMode: play.prizeMode,
              playCode: play.playCode,
              odds: Object.fromEntries(play.outcomes.map(({ when }) => [when, oddsOf(when)])),
            }}
            reason="optional"
            isDisabled={changes.length === 0 || hasInvalidOdds}
            change={changes}
            onDone={form.load}
          />
        </Group>
      </Stack>
    </Paper>
  );
}
