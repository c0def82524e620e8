import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../../testing/render.tsx';
import { blankEntry, entryBody, entryKinds, type Entry } from './entry.ts';
import { EntryEditor } from './EntryEditor.tsx';
import { previewPage } from './PhonePreview.tsx';

const kind = entryKinds[0]!;
const entry: Entry = {
  ...blankEntry(kind),
  id: '7',
  code: 'news',
  title: 'Tin',
  version: 3,
  startsAt: 1_700_000_000_000,
  texts: { vi: { title: 'Tin', content: '<p>a</p>', tag: '', action: '', image: '' } },
};

beforeEach(() => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:preview');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const options = { permissions: ['content.edit'] };

test('an edit sends all languages with a text and the version', async () => {
  let body: unknown;
  answerWith({
    'PUT /ops/v1/announcements/7': async (request: Request) => {
      body = await request.json();
      return { ...entry, version: 4 };
    },
  });
  renderScreen(<EntryEditor kind={kind} entry={entry} />, options);
  await userEvent.type(screen.getByLabelText('Title (en)'), 'News');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(body).toMatchObject({
    version: 3,
    texts: { vi: { title: 'Tin' }, en: { title: 'News' } },
  });
  expect(Object.keys((body as { texts: object }).texts)).toEqual(['vi', 'en']);
});

test('a stale version is reported, and the form keeps its values', async () => {
  answerWith({ 'PUT /ops/v1/announcements/7': new Failing(409, 'ops.stale') });
  renderScreen(<EntryEditor kind={kind} entry={entry} />, options);
  await userEvent.type(screen.getByLabelText('Title (vi)'), ' mới');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Someone has changed this');
  expect(screen.getByLabelText('Title (vi)')).toHaveValue('Tin mới');
});

test('a deletion shows what it deletes', async () => {
  const requests = answerWith({ 'POST /ops/v1/announcements/7/delete': {} });
  renderScreen(<EntryEditor kind={kind} entry={entry} />, options);
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('This deletes “Tin”');
  expect(requests).toHaveLength(0);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Done: Delete')).toBeVisible();
});

test('the preview runs no scripts and escapes plain texts', () => {
  renderScreen(<EntryEditor kind={kind} entry={entry} />, options);
  expect(screen.getByTitle('Preview')).toHaveAttribute('sandbox', '');
  const page = previewPage({
    language: 'ur',
    title: '<script>1</script>',
    tag: '<b>',
    action: '"><i>',
    image: '"><script>',
    content: '<p>x</p>',
  });
  expect(page).not.toContain('<script>');
  expect(page).not.toContain('<b>');
  expect(page).toContain('dir="rtl"');
  expect(page).toContain('<p>x</p>');
});

test('a help article is saved with its topic, without the votes', async () => {
  const help = entryKinds.find(({ name }) => name === 'help')!;
  const topic = { ...entry, id: '1', code: 'money', title: 'Tiền' };
  let body: unknown;
  answerWith({
    'GET /ops/v1/help': { list: [topic, { ...topic, id: '2', code: 'pay', parent: 'money' }] },
    'PUT /ops/v1/help/7': async (request: Request) => {
      body = await request.json();
      return { ...entry, version: 4 };
    },
  });
  renderScreen(<EntryEditor kind={help} entry={{ ...entry, helpful: 3 }} />, options);
  await userEvent.click(screen.getByRole('combobox', { name: 'Topic' }));
  // An article cannot be a topic.
  expect(await screen.findAllByRole('option', { hidden: true })).toHaveLength(1);
  await userEvent.click(screen.getByRole('option', { name: 'Tiền', hidden: true }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(body).toMatchObject({ parent: 'money', version: 3 });
  expect(Object.keys(body as object)).not.toContain('helpful');
});

test('empty languages are left out', () => {
  const empty = { title: '', content: '', tag: '', action: '', image: '' };
  expect(entryBody({ ...entry, texts: { ...entry.texts, pt: empty } }, 3)).toMatchObject({
    texts: { vi: { title: 'Tin' } },
  });
});
