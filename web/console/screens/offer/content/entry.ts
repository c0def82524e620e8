// Content as operators edit it. Other editors, such as those of help articles and promotions, use the same form.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export const editedLanguages = ['vi', 'en', 'ur', 'pt'] as const;

export type EditedLanguage = (typeof editedLanguages)[number];

export const languageNames: Record<EditedLanguage, string> = {
  vi: 'Tiếng Việt',
  en: 'English',
  ur: 'اردو',
  pt: 'Português',
};

export type EntryText = {
  title: string;
  content: string;
  tag: string;
  action: string;
  image: string;
};

export type Entry = {
  id: string;
  code: string;
  title: string;
  status: string;
  agents: boolean;
  group: string;
  execution: string;
  /** The code of a help article's topic. */
  parent: string;
  helpful: number;
  unhelpful: number;
  url: string;
  image: string;
  startsAt: number;
  endsAt: number;
  published: boolean;
  languages: readonly string[];
  texts: Partial<Record<EditedLanguage, EntryText>>;
  version: number;
};

/** A field of a text or of the entry. */
export type EntryField = {
  name: string;
  label: MessageDescriptor;
  kind: 'line' | 'html' | 'picture' | 'choice' | 'check' | 'topic';
  options?: readonly { value: string; label: MessageDescriptor }[];
};

/** Describes one kind of content: its names, its permission and its fields. */
export type EntryKind = {
  /** The name of the list in the URL and in the API. */
  name: string;
  label: MessageDescriptor;
  newLabel: MessageDescriptor;
  permission: string;
  /** The fields in each language. */
  texts: readonly EntryField[];
  /** The fields for all languages. */
  shared: readonly EntryField[];
};

const title: EntryField = { name: 'title', label: msg`Title`, kind: 'line' };
const html: EntryField = { name: 'content', label: msg`Content (HTML)`, kind: 'html' };
const link: EntryField = { name: 'url', label: msg`Link inside the app`, kind: 'line' };
const picture: EntryField = { name: 'image', label: msg`Picture`, kind: 'picture' };
const ownPicture: EntryField = {
  name: 'image',
  label: msg`Picture in this language`,
  kind: 'picture',
};

const permission = 'content.edit';

export const entryKinds: readonly EntryKind[] = [
  {
    name: 'announcements',
    label: msg`Announcements`,
    newLabel: msg`New announcement`,
    permission,
    texts: [title, html],
    shared: [link, picture, { name: 'agents', label: msg`Only for agents`, kind: 'check' }],
  },
  {
    name: 'banners',
    label: msg`Banners`,
    newLabel: msg`New banner`,
    permission,
    texts: [
      title,
      { name: 'tag', label: msg`Line above the title`, kind: 'line' },
      { name: 'action', label: msg`Text of the button`, kind: 'line' },
      html,
      ownPicture,
    ],
    shared: [
      {
        name: 'group',
        label: msg`Place`,
        kind: 'choice',
        options: [
          { value: 'm_home', label: msg`Home` },
          { value: 'm_live', label: msg`Live` },
          { value: 'm_reg', label: msg`Registration` },
        ],
      },
      picture,
      link,
    ],
  },
  {
    name: 'popups',
    label: msg`Popups`,
    newLabel: msg`New popup`,
    permission,
    texts: [title, html, ownPicture],
    shared: [
      {
        name: 'execution',
        label: msg`Shown`,
        kind: 'choice',
        options: [
          { value: 'A', label: msg`To members` },
          { value: 'F', label: msg`At the first login` },
          { value: 'B', label: msg`To visitors` },
        ],
      },
      picture,
      link,
    ],
  },
  {
    name: 'pages',
    label: msg`Pages`,
    newLabel: msg`New page`,
    permission,
    texts: [title, html],
    shared: [],
  },
  {
    name: 'help',
    label: msg`Help`,
    newLabel: msg`New help article`,
    permission,
    texts: [title, html],
    shared: [{ name: 'parent', label: msg`Topic`, kind: 'topic' }],
  },
];

export const blankText: EntryText = { title: '', content: '', tag: '', action: '', image: '' };

/** Returns a new entry, in which each choice has its first option. */
export function blankEntry({ shared }: EntryKind): Entry {
  const firstOption = (name: string) =>
    shared.find((field) => field.name === name)?.options?.[0]?.value;
  return {
    id: '',
    code: '',
    title: '',
    status: 'draft',
    agents: false,
    group: firstOption('group') ?? '',
    execution: firstOption('execution') ?? '',
    parent: '',
    helpful: 0,
    unhelpful: 0,
    url: '',
    image: '',
    startsAt: 0,
    endsAt: 0,
    published: false,
    languages: [],
    texts: {},
    version: 0,
  };
}

/** The values of the form. */
export type EntryDraft = Omit<
  Entry,
  'id' | 'title' | 'status' | 'languages' | 'helpful' | 'unhelpful' | 'version'
>;

export function entryDraft(entry: Entry): EntryDraft {
  const { id: _, title: _title, status: _status, languages: _languages, ...fields } = entry;
  const { helpful: _helpful, unhelpful: _unhelpful, version: _version, ...draft } = fields;
  return draft;
}

/** Returns the request body. It omits languages without any text: there, members see Vietnamese or else English. */
export function entryBody({ texts, ...rest }: EntryDraft, version: number): object {
  const filled = Object.entries(texts).filter(([, text]) => Object.values(text).some(Boolean));
  return { ...rest, version, texts: Object.fromEntries(filled) };
}

export const statusLabels: Record<string, MessageDescriptor> = {
  draft: msg`Draft`,
  scheduled: msg`Scheduled`,
  published: msg`Published`,
  ended: msg`Ended`,
};
