-- +goose Up
ALTER TABLE vendor ADD COLUMN maintenance BOOLEAN NOT NULL DEFAULT FALSE; -- its games are listed but cannot be played

-- Increases with every change of a merchant's vendors and games, so that caches can compare one row.
CREATE TABLE catalogue (
  merchant_id BIGINT NOT NULL PRIMARY KEY REFERENCES merchant (id),
  version     BIGINT NOT NULL
);
INSERT INTO catalogue (merchant_id, version) SELECT id, 1 FROM merchant;

-- Search words: a typed word matches words with that prefix, compared by bytes. Words are written with their game,
-- so there is no foreign key to check: ten thousand games have a hundred thousand words.
CREATE TABLE game_word (
  language TEXT   NOT NULL,
  word     TEXT   COLLATE "C" NOT NULL,
  game_id  BIGINT NOT NULL,
  PRIMARY KEY (language, word, game_id)
);
CREATE INDEX game_word_of_game ON game_word (game_id);
INSERT INTO game_word (language, word, game_id)
SELECT DISTINCT n.language, w.word, n.game_id
FROM game_name n, regexp_split_to_table(n.folded, ' ') AS w (word)
WHERE w.word <> '';
DROP INDEX game_name_folded;
ALTER TABLE game_name DROP COLUMN folded;

-- Pages come from memory, so no query reads games in order, by category, by vendor or by class.
DROP INDEX game_in_order;
DROP INDEX game_in_category;
DROP INDEX game_of_vendor;
DROP INDEX game_hot;
DROP INDEX game_of_class;

CREATE TABLE favourite (
  member_id  BIGINT NOT NULL REFERENCES member (id),
  game_id    BIGINT NOT NULL REFERENCES game (id),
  created_at BIGINT NOT NULL,
  PRIMARY KEY (member_id, game_id)
);
CREATE INDEX favourite_newest ON favourite (member_id, created_at, game_id);

CREATE TABLE recent (
  member_id BIGINT NOT NULL REFERENCES member (id),
  game_id   BIGINT NOT NULL REFERENCES game (id),
  played_at BIGINT NOT NULL,
  PRIMARY KEY (member_id, game_id)
);
CREATE INDEX recent_newest ON recent (member_id, played_at, game_id);

-- +goose Down
DROP TABLE recent;
DROP TABLE favourite;
CREATE INDEX game_in_order ON game (merchant_id, sorting, id);
CREATE INDEX game_in_category ON game (merchant_id, category, sorting, id);
CREATE INDEX game_of_vendor ON game (vendor_id, sorting, id);
CREATE INDEX game_hot ON game (merchant_id, hot_rank, id) WHERE hot_rank > 0;
CREATE INDEX game_of_class ON game_class (class, game_id);
-- Words come back in alphabetical order. The original order is lost.
ALTER TABLE game_name ADD COLUMN folded TEXT NOT NULL DEFAULT '';
UPDATE game_name SET folded = COALESCE((
  SELECT string_agg(w.word, ' ' ORDER BY w.word) FROM game_word w
  WHERE w.game_id = game_name.game_id AND w.language = game_name.language), '');
ALTER TABLE game_name ALTER COLUMN folded DROP DEFAULT;
CREATE INDEX game_name_folded ON game_name (language, folded);
DROP TABLE game_word;
DROP TABLE catalogue;
ALTER TABLE vendor DROP COLUMN maintenance;
