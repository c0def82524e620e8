import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge, Group, Image, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';

import { ActionButton } from '../../../action/ActionButton.tsx';
import { DataList, type Column } from '../../../list/DataList.tsx';
import { Detail } from '../../../object/Detail.tsx';
import { useObject } from '../../../object/useObject.ts';
import { OrderDialog } from '../OrderDialog.tsx';
import { SwitchActions } from '../SwitchActions.tsx';

export type Game = {
  id: string;
  code: string;
  name: string;
  vendor: string;
  vendorName: string;
  category: string;
  icon: string;
  hotRank: number;
  jackpot: boolean;
  enabled: boolean;
  maintenance: boolean;
  playable: boolean;
  status: string;
  version: number;
};

type CatalogueVendor = {
  id: string;
  code: string;
  name: string;
  enabled: boolean;
  maintenance: boolean;
  version: number;
};

type Catalogue = {
  vendors: readonly CatalogueVendor[];
  categories: readonly string[];
  games: number;
  enabled: number;
};

const permission = 'catalogue.edit';

const columns: readonly Column<Game>[] = [
  { key: 'name', title: msg`Game`, render: (game) => <GameName game={game} /> },
  { key: 'vendor', title: msg`Vendor` },
  { key: 'category', title: msg`Category` },
  { key: 'hotRank', title: msg`Marks`, render: (game) => <Marks game={game} /> },
  { key: 'status', title: msg`Status`, render: (game) => <GameActions game={game} /> },
];

function GameName({ game }: { game: Game }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Image src={game.icon} alt="" w={32} h={42} radius="sm" />
      <div>
        <Text size="sm">{game.name}</Text>
        <Text size="xs" c="dimmed">
          {game.code}
        </Text>
      </div>
    </Group>
  );
}

function Marks({ game }: { game: Game }) {
  const { t } = useLingui();
  return (
    <Group gap={4}>
      {game.hotRank > 0 && <Badge color="orange">{t`Hot #${game.hotRank}`}</Badge>}
      {game.jackpot && <Badge color="yellow">{t`Jackpot`}</Badge>}
    </Group>
  );
}

function GameActions({ game }: { game: Game }) {
  const { t } = useLingui();
  const [rank, setRank] = useState<string | number>(game.hotRank || 1);
  const path = `/ops/v1/games/${game.id}`;
  const isHot = game.hotRank > 0;
  return (
    <SwitchActions permission={permission} path={path} row={game}>
      <ActionButton
        label={isHot ? t`Remove hot mark` : t`Mark as hot`}
        size="xs"
        permission={permission}
        path={`${path}/${isHot ? 'not-hot' : 'hot'}`}
        body={{ version: game.version, ...(!isHot && { rank: Number(rank) || 1 }) }}
        fields={
          !isHot && (
            <NumberInput label={t`Place among hot games`} min={1} value={rank} onChange={setRank} />
          )
        }
        change={[
          {
            label: t`Hot`,
            before: isHot ? game.hotRank : t`No`,
            after: isHot ? t`No` : Number(rank) || 1,
          },
        ]}
      />
      <ActionButton
        label={game.jackpot ? t`Remove jackpot mark` : t`Mark as jackpot`}
        size="xs"
        permission={permission}
        path={`${path}/${game.jackpot ? 'no-jackpot' : 'jackpot'}`}
        body={{ version: game.version }}
        change={[
          {
            label: t`Jackpot`,
            before: game.jackpot ? t`Yes` : t`No`,
            after: game.jackpot ? t`No` : t`Yes`,
          },
        ]}
      />
    </SwitchActions>
  );
}

/** All games with search, filters, marks and switches, and dialogs that reorder games and vendors. */
export function GamesScreen() {
  const { t } = useLingui();
  const catalogue = useObject<Catalogue>('/ops/v1/catalogue');
  return (
    <Detail query={catalogue}>
      {({ vendors, categories, games, enabled }) => (
        <>
          <Group justify="space-between" mb="md">
            <Text>{t`${games} games, ${vendors.length} vendors, ${enabled} enabled`}</Text>
            <Group>
              <OrderDialog<CatalogueVendor>
                label={t`Order of vendors`}
                path="/ops/v1/catalogue"
                rowsOf={(value) => (value as { vendors: CatalogueVendor[] }).vendors}
                movePath={({ id }) => `/ops/v1/catalogue/vendors/${id}/move`}
                nameOf={({ name }) => name}
                // oxlint-disable-next-line react/no-unstable-nested-components -- a function that renders a row
                actions={(vendor) => (
                  <SwitchActions
                    permission={permission}
                    path={`/ops/v1/catalogue/vendors/${vendor.id}`}
                    row={vendor}
                  />
                )}
              />
              <OrderDialog<Game>
                label={t`Order of games`}
                path="/ops/v1/games"
                query={Object.fromEntries(
                  [...new URLSearchParams(location.search)].filter(
                    ([name]) => name === 'vendor' || name === 'category',
                  ),
                )}
                movePath={({ id }) => `/ops/v1/games/${id}/move`}
                nameOf={({ name, vendor }) => `${name} (${vendor})`}
              />
            </Group>
          </Group>
          <DataList
            name="games"
            path="/ops/v1/games"
            columns={columns}
            filters={[
              { name: 'q', kind: 'text', label: msg`Name or code` },
              {
                name: 'vendor',
                kind: 'choice',
                label: msg`Vendor`,
                options: vendors.map(({ code, name }) => ({
                  value: code,
                  label: { id: code, message: name },
                })),
              },
              {
                name: 'category',
                kind: 'choice',
                label: msg`Category`,
                options: categories.map((code) => ({
                  value: code,
                  label: { id: code, message: code },
                })),
              },
              {
                name: 'state',
                kind: 'choice',
                label: msg`Status`,
                options: [
                  { value: 'enabled', label: msg`Enabled` },
                  { value: 'disabled', label: msg`Disabled` },
                  { value: 'maintenance', label: msg`Maintenance` },
                ],
              },
              {
                name: 'mark',
                kind: 'choice',
                label: msg`Mark`,
                options: [
                  { value: 'hot', label: msg`Hot` },
                  { value: 'jackpot', label: msg`Jackpot` },
                ],
              },
            ]}
            sorts={[
              { value: 'order', label: msg`Order in the app` },
              { value: 'hot', label: msg`Hot games first` },
              { value: 'name', label: msg`Name` },
              { value: 'newest', label: msg`Newest first` },
            ]}
          />
        </>
      )}
    </Detail>
  );
}
