/** The indexes of the open topic and of its open article. Null if none is open. The address calls them `p` and `c`. */
export type OpenItems = { topicIndex: number | null; articleIndex: number | null };

const indexOf = (text: string | null): number | null =>
  text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;

export function readOpen(query: URLSearchParams): OpenItems {
  const topicIndex = indexOf(query.get('p'));
  return { topicIndex, articleIndex: topicIndex === null ? null : indexOf(query.get('c')) };
}

export function openPath(path: string, { topicIndex, articleIndex }: OpenItems): string {
  if (topicIndex === null) return path;
  const topicPath = `${path}?p=${topicIndex}`;
  return articleIndex === null ? topicPath : `${topicPath}&c=${articleIndex}`;
}
