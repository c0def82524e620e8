-- +goose Up
CREATE TABLE vendor (
  id           BIGINT  NOT NULL PRIMARY KEY,
  merchant_id  BIGINT  NOT NULL REFERENCES merchant (id),
  code         TEXT    NOT NULL,
  display_name TEXT    NOT NULL,
  account_type TEXT    NOT NULL, -- wallet group, for example RNG or PVP
  sorting      BIGINT  NOT NULL,
  enabled      BOOLEAN NOT NULL,
  UNIQUE (merchant_id, code)
);

CREATE TABLE vendor_category (
  vendor_id BIGINT NOT NULL REFERENCES vendor (id),
  category  TEXT   NOT NULL,
  PRIMARY KEY (vendor_id, category)
);

CREATE TABLE game (
  id           BIGINT  NOT NULL PRIMARY KEY, -- nodeId on the wire
  merchant_id  BIGINT  NOT NULL REFERENCES merchant (id),
  vendor_id    BIGINT  NOT NULL REFERENCES vendor (id),
  code         TEXT    NOT NULL, -- gameId on the wire
  category     TEXT    NOT NULL,
  launch_code  TEXT    NOT NULL, -- the vendor's name for the game
  group_id     TEXT    NOT NULL DEFAULT '',
  lotto_mode   TEXT    NOT NULL DEFAULT '',
  icon         TEXT    NOT NULL,
  min_bet      BIGINT  NOT NULL, -- minor units of the merchant's currency
  min_lines    BIGINT  NOT NULL,
  support_play BOOLEAN NOT NULL,
  free_play    BOOLEAN NOT NULL,
  sorting      BIGINT  NOT NULL,
  hot_rank     BIGINT  NOT NULL, -- 0: not a hot game
  enabled      BOOLEAN NOT NULL,
  UNIQUE (merchant_id, code)
);
-- Lists are paged in the order (sorting, id), in total or by category or vendor.
CREATE INDEX game_in_order ON game (merchant_id, sorting, id);
CREATE INDEX game_in_category ON game (merchant_id, category, sorting, id);
CREATE INDEX game_of_vendor ON game (vendor_id, sorting, id);
CREATE INDEX game_hot ON game (merchant_id, hot_rank, id) WHERE hot_rank > 0;

CREATE TABLE game_name (
  game_id  BIGINT NOT NULL REFERENCES game (id),
  language TEXT   NOT NULL,
  name     TEXT   NOT NULL,
  folded   TEXT   NOT NULL, -- lower case without diacritics, for the search
  PRIMARY KEY (game_id, language)
);
CREATE INDEX game_name_folded ON game_name (language, folded);

CREATE TABLE game_class (
  game_id BIGINT NOT NULL REFERENCES game (id),
  class   TEXT   NOT NULL,
  PRIMARY KEY (game_id, class)
);
CREATE INDEX game_of_class ON game_class (class, game_id);

-- +goose Down
DROP TABLE game_class;
DROP TABLE game_name;
DROP TABLE game;
DROP TABLE vendor_category;
DROP TABLE vendor;
