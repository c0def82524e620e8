import { useLingui } from '@lingui/react/macro';
import { Button, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { useObjectPages } from '../../object/useObjectPages.ts';
import { Rows } from './Rows.tsx';

type Note = { id: string; kind: string; operator: string; text: string; createdAt: number };

type NotePage = { list: readonly Note[]; next: string };

/** The operators' notes about a member, newest first. */
export function MemberNotes({ path }: { path: string }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const notes = useObjectPages<NotePage>(`${path}/notes`, ({ next }) =>
    next ? { cursor: next } : undefined,
  );
  return (
    <Stack align="start">
      <ActionButton
        label={t`Write a note`}
        permission="member.edit"
        path={`${path}/notes`}
        body={{ text }}
        change={t`Operators see the note. The member does not.`}
        fields={
          <Textarea
            label={t`Note`}
            rows={4}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        }
        onDone={() => setText('')}
      />
      <Detail query={notes}>
        {({ pages }) => (
          <Rows
            head={[t`Time`, t`Operator`, t`Note`]}
            rows={pages
              .flatMap(({ list }) => list)
              .map((note) => ({
                key: note.id,
                cells: [formatTime(note.createdAt), note.operator, note.text],
              }))}
          />
        )}
      </Detail>
      {notes.hasNextPage && (
        <Button
          variant="default"
          loading={notes.isFetchingNextPage}
          onClick={() => void notes.fetchNextPage()}
        >
          {t`More`}
        </Button>
      )}
    </Stack>
  );
}
