-- +goose Up
-- Series of our own lottery draws. The seeds of a series are a hash chain: SHA-256 of seed k is seed k - 1.
CREATE TABLE lottery_series (
  id           BIGINT PRIMARY KEY,
  merchant_id  BIGINT NOT NULL REFERENCES merchant (id),
  game_id      BIGINT NOT NULL,
  end_seed     TEXT   NOT NULL, -- seed 0 in hexadecimal, public
  salt         TEXT   NOT NULL, -- public
  salt_source  TEXT   NOT NULL,
  first_numero TEXT   NOT NULL, -- drawn with link 1
  first_draw   BIGINT NOT NULL,
  last_draw    BIGINT NOT NULL,
  length       BIGINT NOT NULL,
  chain        BYTEA  NOT NULL, -- encrypted checkpoints of the secret seeds
  created_at   BIGINT NOT NULL,
  UNIQUE (merchant_id, game_id, first_draw)
);

-- Draws that were bet on or drawn. Times are by the database's clock.
CREATE TABLE lottery_numero (
  id          BIGINT PRIMARY KEY,
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  game_id     BIGINT NOT NULL,
  numero      TEXT   NOT NULL,
  open_at     BIGINT NOT NULL,
  close_at    BIGINT NOT NULL,
  draw_at     BIGINT NOT NULL,
  series_id   BIGINT REFERENCES lottery_series (id), -- NULL for a regional draw
  link        BIGINT NOT NULL DEFAULT 0,
  status      TEXT   NOT NULL, -- open, drawn, settled, void
  win_no      TEXT   NOT NULL DEFAULT '',
  result      TEXT   NOT NULL DEFAULT '',
  seed        TEXT   NOT NULL DEFAULT '', -- in hexadecimal, only after the draw
  simulated   BOOLEAN NOT NULL DEFAULT FALSE, -- a regional draw by the demo
  drawn_at    BIGINT NOT NULL DEFAULT 0,
  settled_at  BIGINT NOT NULL DEFAULT 0,
  run         BIGINT NOT NULL DEFAULT 1, -- increases with each correction
  progress    BIGINT NOT NULL DEFAULT 0, -- last round that this run settled
  pending     BOOLEAN NOT NULL DEFAULT FALSE, -- has rounds to settle, to correct or to refund
  version     BIGINT NOT NULL DEFAULT 1,
  UNIQUE (merchant_id, game_id, numero)
);
CREATE INDEX lottery_numero_by_draw ON lottery_numero (merchant_id, game_id, draw_at);
CREATE INDEX lottery_numero_of_series ON lottery_numero (series_id, link) WHERE status <> 'open';
CREATE INDEX lottery_numero_open ON lottery_numero (draw_at) WHERE status = 'open';
CREATE INDEX lottery_numero_pending ON lottery_numero (draw_at) WHERE pending;

CREATE TABLE lottery_order (
  id          BIGINT PRIMARY KEY,
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  member_id   BIGINT NOT NULL REFERENCES member (id),
  vendor_id   BIGINT NOT NULL REFERENCES vendor (id),
  node_id     BIGINT NOT NULL REFERENCES game (id), -- the game in the catalogue
  play_id     BIGINT NOT NULL REFERENCES play (id),
  game_id     BIGINT NOT NULL,
  prize_mode  TEXT   NOT NULL,
  currency    TEXT   NOT NULL,
  account_id  BIGINT NOT NULL, -- the member's
  house_id    BIGINT NOT NULL, -- the vendor's
  request_id  TEXT   NOT NULL,
  digest      BYTEA  NOT NULL, -- of the request
  answer      TEXT   NOT NULL, -- JSON
  total       BIGINT NOT NULL,
  stop_on_win BOOLEAN NOT NULL,
  created_at  BIGINT NOT NULL,
  UNIQUE (member_id, request_id)
);
CREATE INDEX lottery_order_of_member ON lottery_order (member_id, id);

-- The bets of an order on one numero. They are staked, settled and cancelled together, as one round of the record.
CREATE TABLE lottery_round (
  id        BIGINT PRIMARY KEY,
  order_id  BIGINT NOT NULL REFERENCES lottery_order (id),
  numero_id BIGINT NOT NULL REFERENCES lottery_numero (id),
  amount    BIGINT NOT NULL,
  stake_id  BIGINT NOT NULL, -- transfer of the stake
  status    TEXT   NOT NULL, -- open, settled, void, cancelled
  paid      BIGINT NOT NULL DEFAULT 0, -- payouts and rebates, less what was taken back
  run       BIGINT NOT NULL DEFAULT 0, -- of the numero, that settled it last
  UNIQUE (order_id, numero_id)
);
CREATE INDEX lottery_round_of_numero ON lottery_round (numero_id, id);

CREATE TABLE lottery_bet (
  id        BIGINT PRIMARY KEY,
  round_id  BIGINT NOT NULL REFERENCES lottery_round (id),
  order_id  BIGINT NOT NULL,
  play_code TEXT   NOT NULL,
  selection TEXT   NOT NULL,
  stake     BIGINT NOT NULL, -- per line
  multiple  BIGINT NOT NULL,
  lines     BIGINT NOT NULL,
  amount    BIGINT NOT NULL,
  odds      TEXT   NOT NULL, -- JSON, by outcome
  state     TEXT   NOT NULL, -- open, won, lost, void, cancelled
  payout    BIGINT NOT NULL DEFAULT 0,
  rebate    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX lottery_bet_of_round ON lottery_bet (round_id, id);
CREATE INDEX lottery_bet_of_order ON lottery_bet (order_id, id);

-- The most that a line of a numero can be paid.
CREATE TABLE lottery_exposure (
  numero_id BIGINT NOT NULL,
  currency  TEXT   NOT NULL,
  play_code TEXT   NOT NULL,
  line      TEXT   NOT NULL,
  amount    BIGINT NOT NULL,
  PRIMARY KEY (numero_id, currency, play_code, line)
);

-- What a correction could not take back, because the balance was too small.
CREATE TABLE lottery_debt (
  id          BIGINT PRIMARY KEY,
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  member_id   BIGINT NOT NULL REFERENCES member (id),
  round_id    BIGINT NOT NULL REFERENCES lottery_round (id),
  run         BIGINT NOT NULL,
  currency    TEXT   NOT NULL,
  amount      BIGINT NOT NULL,
  created_at  BIGINT NOT NULL,
  UNIQUE (round_id, run)
);
CREATE INDEX lottery_debt_of_merchant ON lottery_debt (merchant_id, id);

-- Odds that an operator changed. Other plays have the standard odds.
CREATE TABLE lottery_odds (
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  game_id     BIGINT NOT NULL,
  prize_mode  TEXT   NOT NULL,
  play_code   TEXT   NOT NULL,
  odds        TEXT   NOT NULL, -- JSON, by outcome
  changed_at  BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, game_id, prize_mode, play_code)
);

-- Games that an operator changed. The version covers the game's odds.
CREATE TABLE lottery_game (
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  game_id     BIGINT NOT NULL,
  enabled     BOOLEAN NOT NULL,
  version     BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, game_id)
);

-- The process that draws and settles.
CREATE TABLE lottery_lease (
  name  TEXT   NOT NULL PRIMARY KEY,
  owner TEXT   NOT NULL,
  until BIGINT NOT NULL -- by the database's clock
);

-- +goose Down
DROP TABLE lottery_lease;
DROP TABLE lottery_game;
DROP TABLE lottery_odds;
DROP TABLE lottery_debt;
DROP TABLE lottery_exposure;
DROP TABLE lottery_bet;
DROP TABLE lottery_round;
DROP TABLE lottery_order;
DROP TABLE lottery_numero;
DROP TABLE lottery_series;
