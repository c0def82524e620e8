import { useState } from 'react';

import { Empty } from '../../ui/Empty.tsx';
import { InfiniteGrid } from '../../ui/InfiniteGrid.tsx';
import { games } from './games.ts';
import { Section } from './Section.tsx';
import { GameTile } from './TileSection.tsx';

const pageSize = 21;

// The second page fails once, to try the retry.
export function ListSection() {
  const [pages, setPages] = useState(0);
  const [loading, setLoading] = useState(false);
  const [failed, setFailed] = useState(false);
  const [failedOnce, setFailedOnce] = useState(false);
  const items = games.slice(0, pages * pageSize);

  async function loadMore(): Promise<void> {
    setLoading(true);
    setFailed(false);
    await new Promise((resolve) => setTimeout(resolve, 600));
    setLoading(false);
    if (pages === 1 && !failedOnce) {
      setFailedOnce(true);
      setFailed(true);
    } else {
      setPages(pages + 1);
    }
  }

  return (
    <Section title="Growing grid">
      <InfiniteGrid
        label="Games"
        items={items}
        keyOf={(game) => game.id}
        renderItem={(game) => <GameTile game={game} />}
        loading={loading}
        failed={failed}
        hasMore={items.length < games.length}
        onLoadMore={loadMore}
        failedDetail={`${items.length} of ${games.length} games`}
        endText="That is all"
        empty={<Empty title="No games" />}
      />
    </Section>
  );
}
