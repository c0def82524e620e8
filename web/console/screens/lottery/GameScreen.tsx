import { useLingui } from '@lingui/react/macro';
import { Badge, Group, Select, Stack, Table, Title } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatMoney } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { lotteryPath, lotteryPermission } from './draws.tsx';
import { chanceText, GameStatus, type Game } from './games.tsx';
import { LotteryTabs } from './LotteryTabs.tsx';
import { OddsForm } from './OddsForm.tsx';

/** One game with the odds of its plays. */
export function GameScreen() {
  const { id = '' } = useParams();
  const game = useObject<Game>(`${lotteryPath}/games/${id}`);
  return (
    <>
      <LotteryTabs />
      <Detail query={game}>{(value) => <GameView game={value} />}</Detail>
    </>
  );
}

function GameView({ game }: { game: Game }) {
  const { t } = useLingui();
  const modes = [...new Set(game.plays.map(({ prizeMode }) => prizeMode))];
  const [mode, setMode] = useState(modes[0] ?? '');
  const [playCode, setPlayCode] = useState<string | null>(null);
  const plays = game.plays.filter(({ prizeMode }) => prizeMode === mode);
  const chosen = plays.find((play) => play.playCode === playCode);
  const isOn = game.status === 'on';
  return (
    <Stack>
      <Group justify="space-between">
        <Group>
          <Title order={1} size="h3">
            {game.name}
          </Title>
          <GameStatus status={game.status} />
        </Group>
        <ActionButton
          label={isOn ? t`Switch off` : t`Switch on`}
          {...(isOn && { color: 'red' })}
          permission={lotteryPermission}
          path={`${lotteryPath}/games/${game.id}/status`}
          body={{ version: game.version, enabled: !isOn }}
          reason="optional"
          change={[
            {
              label: t`New bets`,
              before: isOn ? t`Accepted` : t`Refused`,
              after: isOn ? t`Refused` : t`Accepted`,
            },
          ]}
        />
      </Group>
      <Fields
        rows={[
          { label: t`Highest return that odds may have`, value: game.return },
          { label: t`Limit of a line`, value: formatMoney(game.limit, game.currency) },
        ]}
      />
      <Group>
        <Select
          label={t`Prize mode`}
          allowDeselect={false}
          data={modes}
          value={mode}
          onChange={(next) => next && setMode(next)}
        />
        <Select
          label={t`Play to change`}
          searchable
          clearable
          data={plays.map((play) => ({
            value: play.playCode,
            label: `${play.playCode}: ${play.name}`,
          }))}
          value={playCode}
          onChange={setPlayCode}
        />
      </Group>
      {chosen && <OddsForm key={`${mode}/${chosen.playCode}`} game={game} play={chosen} />}
      <Table.ScrollContainer minWidth={520}>
        <Table withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Kind of bet`}</Table.Th>
              <Table.Th>{t`Outcome`}</Table.Th>
              <Table.Th ta="end">{t`Chance`}</Table.Th>
              <Table.Th ta="end">{t`Odds`}</Table.Th>
              <Table.Th ta="end">{t`Return to players`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {plays.flatMap((play) =>
              play.outcomes.map((outcome) => (
                <Table.Tr key={`${play.playCode}/${outcome.when}`}>
                  <Table.Td>
                    {play.playCode} {play.changed && <Badge color="blue">{t`Changed`}</Badge>}
                  </Table.Td>
                  <Table.Td>{outcome.when || '–'}</Table.Td>
                  <Table.Td ta="end">{chanceText(outcome.chance)}</Table.Td>
                  <Table.Td ta="end">{outcome.odds}</Table.Td>
                  <Table.Td ta="end">{outcome.rtp}</Table.Td>
                </Table.Tr>
              )),
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}
