import type { HelpTopic } from '../../api/help.ts';
import { fold } from '../../lib/fold.ts';

export type Found = {
  topic: HelpTopic;
  topicIndex: number;
  articleIndex: number | null;
  snippet: string;
};

/** The characters that the server escapes in stored HTML. The page's policy forbids parsing HTML from a string. */
const entities: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&nbsp;': ' ',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
};

const decode = (text: string): string =>
  text.replaceAll(/&#?\w+;/g, (entity) => entities[entity] ?? entity);

function plainText(html: string): string {
  const untagged = html
    // Links and bold words are part of a sentence; other tags end one.
    .replaceAll(/<\/?(?:a|b|i|em|strong)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ');
  return decode(untagged).replaceAll(/\s+/g, ' ').trim();
}

const snippetLength = 90;

/** Returns the articles with all typed words, ignoring accents and case. Those with the words in the title come first. */
export function searchHelp(topics: readonly HelpTopic[], typed: string): Found[] {
  const words = fold(typed).split(' ').filter(Boolean);
  if (words.length === 0) return [];
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  const inTitle: Found[] = [];
  const inText: Found[] = [];
  const look = (topic: HelpTopic, topicIndex: number, articleIndex: number | null, parent = '') => {
    const text = plainText(topic.content);
    const snippet = text.length > snippetLength ? `${text.slice(0, snippetLength).trim()}…` : text;
    const found = { topic, topicIndex, articleIndex, snippet };
    if (hasAll(fold(topic.title))) inTitle.push(found);
    else if (text !== '' && hasAll(fold(`${parent} ${topic.title} ${text}`))) inText.push(found);
  };
  for (const [topicIndex, topic] of topics.entries()) {
    look(topic, topicIndex, null);
    for (const [articleIndex, article] of topic.children.entries())
      look(article, topicIndex, articleIndex, topic.title);
  }
  return [...inTitle, ...inText];
}
