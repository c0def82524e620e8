import { useLingui } from '@lingui/react/macro';
import { Kbd, Modal, Table } from '@mantine/core';

import type { Destination } from '../destinations.ts';

type KeyboardHelpProps = {
  opened: boolean;
  destinations: readonly Destination[];
  onClose: () => void;
};

export function KeyboardHelp({ opened, destinations, onClose }: KeyboardHelpProps) {
  const { t, i18n } = useLingui();
  const rows = [
    { keys: ['/'], action: t`Search` },
    { keys: ['?'], action: t`Keyboard help` },
    ...destinations.map(({ key, label }) => ({ keys: ['g', key], action: i18n._(label) })),
  ];
  return (
    <Modal opened={opened} onClose={onClose} title={t`Keyboard help`}>
      <Table>
        <Table.Tbody>
          {rows.map(({ keys, action }) => (
            <Table.Tr key={keys.join('')}>
              <Table.Th scope="row" w={100}>
                {keys.map((key) => (
                  <Kbd key={key} me={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{action}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
