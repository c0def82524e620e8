import { useState } from 'react';

import { Carousel } from '../../ui/Carousel.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { NoticeBar } from '../../ui/NoticeBar.tsx';
import { Tile, TileSkeleton } from '../../ui/Tile.tsx';
import { games, type Game } from './games.ts';
import { Row, Section } from './Section.tsx';

import styles from './Gallery.module.css';

const notices = [
  { id: '1', text: 'Bảo trì ví 02:00–02:30 ngày 16/11. Lệnh rút đang xử lý không bị ảnh hưởng.' },
  { id: '2', text: 'Hoàn trả hằng ngày đến 1,2%.' },
];
const banners = ['Hoàn đến 1,2% mỗi vé cược', 'Game mới mỗi tuần', 'Mời bạn bè'];

export function TileSection() {
  return (
    <>
      <Section title="Notice bar">
        <Row label="Running, short, empty">
          <NoticeBar items={notices} href="#notice" emptyText="No notices" />
        </Row>
        <Row label="">
          <NoticeBar items={notices.slice(1)} href="#notice" emptyText="No notices" />
          <NoticeBar items={[]} href="#notice" emptyText="No notices" />
        </Row>
      </Section>
      <Section title="Carousel">
        <Carousel
          label="Offers"
          items={banners}
          keyOf={(text) => text}
          renderItem={(text) => <div className={styles.banner}>{text}</div>}
        />
      </Section>
      <Section title="Tile">
        <div className={styles.grid}>
          {games.slice(0, 6).map((game) => (
            <GameTile key={game.id} game={game} />
          ))}
          <Tile name="Without its picture" art="/m/art/tiles/none.webp" vendor="JL" href="#tile" />
          <div lang="ur">
            <Tile name="خلیج کا سنہری اژدہا" art={games[0]?.art ?? ''} vendor="JL" href="#tile" />
          </div>
          <TileSkeleton />
        </div>
      </Section>
    </>
  );
}

export function GameTile({ game }: { game: Game }) {
  const [starred, setStarred] = useState(false);
  return (
    <Tile
      name={game.name}
      art={game.art}
      vendor={game.vendor}
      href="#tile"
      corner={
        <IconButton
          icon={starred ? 'star-fill' : 'star'}
          label={`Favourite: ${game.name}`}
          variant="art"
          pressed={starred}
          onPress={() => setStarred(!starred)}
        />
      }
    />
  );
}
