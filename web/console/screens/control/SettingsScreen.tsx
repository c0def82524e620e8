import { useLingui } from '@lingui/react/macro';
import {
  Button,
  Code,
  Group,
  MultiSelect,
  NumberInput,
  Paper,
  Select,
  Stack,
  Switch,
  Table,
  TagsInput,
  Tabs,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';
import { Link } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import type { WaitingApproval } from '../../action/useAction.ts';
import { Detail } from '../../object/Detail.tsx';
import { NewerVersion } from '../../object/NewerVersion.tsx';
import { useDraft } from '../../object/useDraft.ts';
import { useObject } from '../../object/useObject.ts';
import { History, jsonOf, Undone } from './SettingHistory.tsx';
import { Status } from './Status.tsx';

type Setting = {
  id: string;
  text: string;
  form: 'boolean' | 'number' | 'text' | 'choice' | 'choices' | 'list' | 'json';
  choices: readonly string[];
  value: unknown;
  default: unknown;
  status: string;
  version: number;
  /** The change that waits for a second person. */
  approval?: WaitingApproval;
};

type SwitchState = {
  id: string;
  kind: string;
  name: string;
  text: string;
  on: boolean;
  default: boolean;
  status: string;
  version: number;
};

type List<T> = { list: readonly T[] };

/** The settings and switches of the site. */
export function SettingsScreen() {
  const { t } = useLingui();
  return (
    <Tabs defaultValue="settings" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="settings">{t`Settings`}</Tabs.Tab>
        <Tabs.Tab value="switches">{t`Switches`}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="settings">
        <SettingList />
      </Tabs.Panel>
      <Tabs.Panel value="switches">
        <SwitchList />
      </Tabs.Panel>
    </Tabs>
  );
}

function SettingList() {
  const { t } = useLingui();
  const [search, setSearch] = useState('');
  const query = useObject<List<Setting>>('/ops/v1/settings');
  const matches = ({ id, text }: Setting): boolean =>
    `${id} ${text}`.toLowerCase().includes(search.trim().toLowerCase());
  return (
    <Stack>
      <TextInput
        label={t`Search`}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Detail query={query}>
        {({ list }) => (
          <Paper withBorder>
            <Table.ScrollContainer minWidth={560}>
              <Table verticalSpacing="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t`Setting`}</Table.Th>
                    <Table.Th>{t`Value`}</Table.Th>
                    <Table.Th>{t`Status`}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.filter(matches).map((setting) => (
                    <Table.Tr key={setting.id}>
                      <Table.Td>
                        <Button
                          component={Link}
                          href={`/settings/${setting.id}`}
                          variant="subtle"
                          size="compact-sm"
                        >
                          {setting.id}
                        </Button>
                        <Text size="sm" c="dimmed">
                          {setting.text}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <Code>{jsonOf(setting.value)}</Code>
                      </Table.Td>
                      <Table.Td>
                        <Status value={setting.status} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </Paper>
        )}
      </Detail>
    </Stack>
  );
}

/** One setting with its form, its default and its history. */
export function SettingScreen() {
  const { name } = useParams<{ name: string }>();
  const path = `/ops/v1/settings/${name}`;
  const query = useObject<Setting>(path);
  return (
    <Detail query={query}>
      {(setting) => <SettingView key={setting.id} setting={setting} path={path} />}
    </Detail>
  );
}

const settingDraft = ({ value }: Setting) => ({ value });

function SettingView({ setting, path }: { setting: Setting; path: string }) {
  const { t } = useLingui();
  const form = useDraft(setting, settingDraft);
  const { base } = form;
  const { value } = form.draft;
  const sharedProps = {
    permission: 'setting.edit',
    reason: 'optional',
    // While a change waits for a second person, the draft stays.
    onDone: (saved: Setting) => !saved.approval && form.load(saved),
  } as const;
  const { version } = base;
  return (
    <Stack>
      <Title order={2}>{setting.id}</Title>
      <Text>{setting.text}</Text>
      <Paper withBorder p="md">
        <Stack>
          {form.isOutdated && <NewerVersion onLoad={() => form.load(setting)} />}
          <SettingInput
            setting={base}
            value={value}
            onChange={(next) => form.change({ value: next })}
          />
          <Text size="sm" c="dimmed">{t`Default: ${jsonOf(setting.default)}`}</Text>
          <Group>
            <ActionButton<Setting>
              {...sharedProps}
              label={t`Save`}
              variant="filled"
              path={`${path}/set`}
              body={{ version, value }}
              isDisabled={value === undefined || jsonOf(value) === jsonOf(base.value)}
              change={[
                {
                  label: setting.id,
                  before: <Code>{jsonOf(base.value)}</Code>,
                  after: <Code>{jsonOf(value)}</Code>,
                },
              ]}
            />
            <ActionButton<Setting>
              {...sharedProps}
              label={t`Undo the last change`}
              path={`${path}/undo`}
              body={{ version }}
              isDisabled={version === 0}
              change={
                <Undone
                  path={path}
                  version={version}
                  label={setting.id}
                  value={base.value}
                  render={(undone) => <Code>{jsonOf(undone)}</Code>}
                />
              }
            />
            <ActionButton<Setting>
              {...sharedProps}
              label={t`Use the default`}
              path={`${path}/reset`}
              body={{ version }}
              isDisabled={base.status === 'default'}
              change={[
                {
                  label: setting.id,
                  before: <Code>{jsonOf(base.value)}</Code>,
                  after: <Code>{jsonOf(setting.default)}</Code>,
                },
              ]}
            />
          </Group>
        </Stack>
      </Paper>
      <History path={path} />
    </Stack>
  );
}

type InputProps = { setting: Setting; value: unknown; onChange: (value: unknown) => void };

/** The input control for the type of a setting. */
function SettingInput({ setting, value, onChange }: InputProps) {
  const { t } = useLingui();
  const label = t`Value`;
  // Choices are strings, but some settings are numbers.
  const parseChoice = (text: string): unknown =>
    typeof setting.default === 'number' ? Number(text) : text;
  switch (setting.form) {
    case 'boolean':
      return (
        <Switch
          label={label}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          label={label}
          allowDecimal={false}
          value={Number(value)}
          onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
        />
      );
    case 'choice':
      return (
        <Select
          label={label}
          allowDeselect={false}
          data={[...setting.choices]}
          value={String(value)}
          onChange={(next) => next !== null && onChange(parseChoice(next))}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          label={label}
          data={[...setting.choices]}
          value={(value as unknown[]).map(String)}
          onChange={(next) => onChange(next.map(parseChoice))}
        />
      );
    case 'list':
      return <TagsInput label={label} value={[...(value as string[])]} onChange={onChange} />;
    case 'json':
      return <JsonInput key={jsonOf(setting.value)} value={value} onChange={onChange} />;
    case 'text':
      return (
        <TextInput
          label={label}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

function JsonInput({ value, onChange }: Pick<InputProps, 'value' | 'onChange'>) {
  const { t } = useLingui();
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [isWrong, setIsWrong] = useState(false);
  return (
    <Textarea
      label={t`Value`}
      description={t`As JSON`}
      rows={8}
      spellCheck={false}
      value={text}
      error={isWrong ? t`This is not valid JSON.` : null}
      onChange={(event) => {
        setText(event.currentTarget.value);
        try {
          onChange(JSON.parse(event.currentTarget.value) as unknown);
          setIsWrong(false);
        } catch {
          onChange(undefined);
          setIsWrong(true);
        }
      }}
    />
  );
}

function SwitchList() {
  const { t } = useLingui();
  const query = useObject<List<SwitchState>>('/ops/v1/switches');
  const stateText = (on: boolean): string => (on ? t`On` : t`Off`);
  return (
    <Detail query={query}>
      {({ list }) => (
        <Paper withBorder>
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t`Switch`}</Table.Th>
                  <Table.Th>{t`State`}</Table.Th>
                  <Table.Th>{t`Status`}</Table.Th>
                  <Table.Th>{t`Actions`}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.map((each) => (
                  <Table.Tr key={each.id}>
                    <Table.Td>
                      <Text fw={700}>{each.name}</Text>
                      <Text size="sm" c="dimmed">
                        {each.text}
                      </Text>
                    </Table.Td>
                    <Table.Td>{stateText(each.on)}</Table.Td>
                    <Table.Td>
                      <Status value={each.status} />
                    </Table.Td>
                    <Table.Td>
                      <Group gap="xs">
                        <ActionButton
                          label={each.on ? t`Switch ${each.name} off` : t`Switch ${each.name} on`}
                          size="xs"
                          permission="setting.edit"
                          path={`/ops/v1/switches/${each.id}/${each.on ? 'off' : 'on'}`}
                          body={{ version: each.version }}
                          reason="optional"
                          change={[
                            {
                              label: each.name,
                              before: stateText(each.on),
                              after: stateText(!each.on),
                            },
                          ]}
                        />
                        {each.version > 0 && (
                          <ActionButton
                            label={t`Undo ${each.name}`}
                            size="xs"
                            permission="setting.edit"
                            path={`/ops/v1/switches/${each.id}/undo`}
                            body={{ version: each.version }}
                            change={
                              <Undone
                                path={`/ops/v1/switches/${each.id}`}
                                version={each.version}
                                label={each.name}
                                value={each.on}
                                render={(on) => stateText(on === true)}
                              />
                            }
                          />
                        )}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
    </Detail>
  );
}
