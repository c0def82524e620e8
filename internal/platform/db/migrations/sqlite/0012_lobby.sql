-- +goose Up
ALTER TABLE vendor ADD COLUMN maintenance BOOLEAN NOT NULL DEFAULT FALSE; -- its games are listed but cannot be played

-- Increases with every change of a merchant's vendors and games, so that caches can compare one row.
CREATE TABLE catalogue (
  merchant_id INTEGER PRIMARY KEY REFERENCES merchant (id),
  version     BIGINT  NOT NULL
);
INSERT INTO catalogue (merchant_id, version) SELECT id, 1 FROM merchant;

-- Search words: a typed word matches words with that prefix, compared by bytes. Words are written with their game,
-- so there is no foreign key to check: ten thousand games have a hundred thousand words.
CREATE TABLE game_word (
  language TEXT   NOT NULL,
  word     TEXT   NOT NULL,
  game_id  BIGINT NOT NULL,
  PRIMARY KEY (language, word, game_id)
) WITHOUT ROWID;
CREATE INDEX game_word_of_game ON game_word (game_id);
INSERT INTO game_word (language, word, game_id)
WITH RECURSIVE part (language, game_id, word, rest) AS (
  SELECT language, game_id, '', folded || ' ' FROM game_name
  UNION ALL
  SELECT language, game_id, substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1) FROM part WHERE rest <> ''
)
SELECT DISTINCT language, word, game_id FROM part WHERE word <> '';
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
  SELECT group_concat(w.word, ' ') FROM (
    SELECT word FROM game_word WHERE game_word.game_id = game_name.game_id AND game_word.language = game_name.language ORDER BY word
  ) w), '');
CREATE INDEX game_name_folded ON game_name (language, folded);
DROP TABLE game_word;
DROP TABLE catalogue;
ALTER TABLE vendor DROP COLUMN maintenance;
