import { useLingui } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';

import { Icon } from '../Icon.tsx';
import { describeError } from '../server/errors.ts';
import { downloadCsv, type Query } from '../server/request.ts';
import type { ColumnChoice } from './columns.ts';

type ColumnMenuProps = {
  columns: readonly { key: string; label: string }[];
  choice: ColumnChoice;
};

export function ColumnMenu({ columns, choice }: ColumnMenuProps) {
  const { t } = useLingui();
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="columns" />}>
          {t`Columns`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ key, label }) => (
          <Menu.CheckboxItem
            key={key}
            checked={choice.isVisible(key)}
            onChange={() => choice.toggle(key)}
          >
            {label}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type CsvButtonProps = { name: string; path: string; query: Query };

/** Downloads the whole filtered list. */
export function CsvButton({ name, path, query }: CsvButtonProps) {
  const { t } = useLingui();
  const download = useMutation({
    mutationFn: () => downloadCsv(path, query),
    onSuccess: (file) => saveFile(file, `${name}.csv`),
    onError: (error) => notifications.show({ color: 'red', message: describeError(error) }),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t`Download CSV`}
    </Button>
  );
}

function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
