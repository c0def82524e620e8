import { useLingui } from '@lingui/react/macro';
import {
  Button,
  Checkbox,
  FileButton,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  TextInput,
  Title,
} from '@mantine/core';
import { useState } from 'react';

import { ActionButton } from '../../action/ActionButton.tsx';
import { lotteryPath, lotteryPermission, type Draw, type PrizeForm } from './draws.tsx';
import { ResultPreview } from './ResultPreview.tsx';
import {
  draftOf,
  hasRepeated,
  parseImport,
  prizesOf,
  problemOf,
  resultText,
  type ResultDraft,
} from './results.ts';

/** Enters the result of a regional draw, or corrects it. Another operator confirms it. */
export function ResultForm({ draw }: { draw: Draw }) {
  const { t } = useLingui();
  const { form } = draw;
  const [draft, setDraft] = useState<ResultDraft>(() => draftOf(form, draw.prizes));
  const [isRepeatAllowed, setIsRepeatAllowed] = useState(false);
  const [importError, setImportError] = useState<string | null>(null);
  const isCorrection = draw.winNo !== '';
  const isRepeated = hasRepeated(form, draft);
  const isComplete = form.every((prize) => !problemOf(prize, draft[prize.code] ?? ''));
  const prizes = prizesOf(form, draft);
  const isSame = isCorrection && resultText(prizes) === resultText(draw.prizes ?? {});

  async function read(file: File | null): Promise<void> {
    if (!file) return;
    const imported = parseImport(await file.text());
    setImportError(
      imported
        ? null
        : t`This file is not a result. Each line needs a prize and its numbers: DB=01234`,
    );
    if (imported) setDraft({ ...draftOf(form), ...imported });
  }

  return (
    <Paper withBorder p="md">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {isCorrection ? t`Correct the result` : t`Enter the result`}
          </Title>
          <FileButton accept=".txt,.csv,.json,text/plain" onChange={(file) => void read(file)}>
            {(props) => (
              <Button variant="default" {...props}>
                {t`Import a file`}
              </Button>
            )}
          </FileButton>
        </Group>
        {importError && <div role="alert">{importError}</div>}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {form.map((prize) => (
            <PrizeInput
              key={prize.code}
              prize={prize}
              value={draft[prize.code] ?? ''}
              onChange={(value) => setDraft({ ...draft, [prize.code]: value })}
            />
          ))}
        </SimpleGrid>
        {isRepeated && (
          <Checkbox
            label={t`A long number occurs twice in a prize. I have checked it.`}
            checked={isRepeatAllowed}
            onChange={(event) => setIsRepeatAllowed(event.currentTarget.checked)}
          />
        )}
        <Group justify="end">
          <ActionButton
            label={isCorrection ? t`Correct the result` : t`Enter the result`}
            variant="filled"
            permission={lotteryPermission}
            path={`${lotteryPath}/${draw.id}/result`}
            body={{
              version: draw.version,
              prizes,
              ...(isRepeated && { allowRepeated: isRepeatAllowed }),
            }}
            reason={isCorrection ? 'required' : 'optional'}
            isDisabled={!isComplete || isSame || draw.pending || (isRepeated && !isRepeatAllowed)}
            change={<ResultPreview id={draw.id} result={resultText(prizes)} />}
          />
        </Group>
      </Stack>
    </Paper>
  );
}

type PrizeInputProps = { prize: PrizeForm; value: string; onChange: (value: string) => void };

function PrizeInput({ prize, value, onChange }: PrizeInputProps) {
  const { t } = useLingui();
  const { code, count, digits } = prize;
  const problem = value.trim() ? problemOf(prize, value) : null;
  const messages = {
    count: t`Enter ${count} numbers.`,
    digits: t`Each number needs ${digits} digits.`,
  };
  return (
    <TextInput
      label={code}
      description={t`${count} × ${digits} digits, separated by spaces`}
      inputMode="numeric"
      maxLength={200}
      value={value}
      error={problem && messages[problem]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
