-- +goose Up
-- State of each round, updated with its moves. So a page of the betting record is one read, and a bet costs the same in
-- a long round. Amounts stop at 2^62.
CREATE TABLE vendor_round (
  first_id  INTEGER PRIMARY KEY, -- transfer of its first move
  vendor_id BIGINT NOT NULL,
  member_id BIGINT NOT NULL,
  round     TEXT   NOT NULL,
  game_id   BIGINT NOT NULL,
  started   BIGINT NOT NULL, -- unix ms
  settled   BIGINT NOT NULL, -- 0: not yet
  staked    BIGINT NOT NULL,
  refunded  BIGINT NOT NULL,
  won       BIGINT NOT NULL,
  jackpot   BIGINT NOT NULL DEFAULT 0, -- jackpots won by its stakes
  standing  BIGINT NOT NULL, -- bets that were not rolled back
  wins      BIGINT NOT NULL,
  ends      BIGINT NOT NULL,
  net       BIGINT NOT NULL GENERATED ALWAYS AS (won + jackpot - staked + refunded) STORED,
  status    TEXT   NOT NULL GENERATED ALWAYS AS (
    CASE WHEN staked = 0 THEN '' WHEN standing = 0 THEN 'refunded' WHEN settled = 0 THEN 'open' WHEN won + jackpot >= staked - refunded THEN 'won' ELSE 'lost' END
  ) STORED
);
CREATE UNIQUE INDEX vendor_round_name ON vendor_round (vendor_id, round, member_id);
CREATE INDEX vendor_round_member ON vendor_round (member_id, started, first_id);
CREATE INDEX vendor_round_open ON vendor_round (member_id, started) WHERE status = 'open';

-- Totals of finished rounds per quarter of an hour of their start, which fits every time zone. High and low 32 bits are
-- summed separately, because a sum may exceed 64 bits.
CREATE TABLE round_sum (
  member_id    BIGINT NOT NULL,
  since        BIGINT NOT NULL, -- unix ms
  game_id      BIGINT NOT NULL,
  status       TEXT   NOT NULL, -- won, lost, refunded
  rounds       BIGINT NOT NULL,
  stake_high   BIGINT NOT NULL, -- less refunds
  stake_low    BIGINT NOT NULL,
  win_high     BIGINT NOT NULL,
  win_low      BIGINT NOT NULL,
  jackpot_high BIGINT NOT NULL,
  jackpot_low  BIGINT NOT NULL,
  won_high     BIGINT NOT NULL, -- profit of rounds with a profit
  won_low      BIGINT NOT NULL,
  lost_high    BIGINT NOT NULL, -- loss of the other rounds
  lost_low     BIGINT NOT NULL,
  PRIMARY KEY (member_id, since, game_id, status)
) WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER vendor_round_begins AFTER INSERT ON vendor_round WHEN NEW.status NOT IN ('', 'open')
BEGIN
  INSERT INTO round_sum (member_id, since, game_id, status, rounds, stake_high, stake_low, win_high, win_low, jackpot_high, jackpot_low, won_high, won_low, lost_high, lost_low)
  SELECT NEW.member_id, NEW.started - NEW.started % 900000, NEW.game_id, NEW.status, 1,
    ((NEW.staked - NEW.refunded) >> 32), ((NEW.staked - NEW.refunded) & 4294967295),
    ((NEW.won) >> 32), ((NEW.won) & 4294967295),
    ((NEW.jackpot) >> 32), ((NEW.jackpot) & 4294967295),
    ((CASE WHEN NEW.net > 0 THEN NEW.net ELSE 0 END) >> 32), ((CASE WHEN NEW.net > 0 THEN NEW.net ELSE 0 END) & 4294967295),
    ((CASE WHEN NEW.net < 0 THEN -NEW.net ELSE 0 END) >> 32), ((CASE WHEN NEW.net < 0 THEN -NEW.net ELSE 0 END) & 4294967295)
  WHERE NEW.status NOT IN ('', 'open')
  ON CONFLICT (member_id, since, game_id, status) DO UPDATE SET rounds = rounds + excluded.rounds,
    stake_high = stake_high + excluded.stake_high,
    stake_low = stake_low + excluded.stake_low,
    win_high = win_high + excluded.win_high,
    win_low = win_low + excluded.win_low,
    jackpot_high = jackpot_high + excluded.jackpot_high,
    jackpot_low = jackpot_low + excluded.jackpot_low,
    won_high = won_high + excluded.won_high,
    won_low = won_low + excluded.won_low,
    lost_high = lost_high + excluded.lost_high,
    lost_low = lost_low + excluded.lost_low;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER vendor_round_goes_on AFTER UPDATE ON vendor_round
BEGIN
  INSERT INTO round_sum (member_id, since, game_id, status, rounds, stake_high, stake_low, win_high, win_low, jackpot_high, jackpot_low, won_high, won_low, lost_high, lost_low)
  SELECT OLD.member_id, OLD.started - OLD.started % 900000, OLD.game_id, OLD.status, -1,
    -((OLD.staked - OLD.refunded) >> 32), -((OLD.staked - OLD.refunded) & 4294967295),
    -((OLD.won) >> 32), -((OLD.won) & 4294967295),
    -((OLD.jackpot) >> 32), -((OLD.jackpot) & 4294967295),
    -((CASE WHEN OLD.net > 0 THEN OLD.net ELSE 0 END) >> 32), -((CASE WHEN OLD.net > 0 THEN OLD.net ELSE 0 END) & 4294967295),
    -((CASE WHEN OLD.net < 0 THEN -OLD.net ELSE 0 END) >> 32), -((CASE WHEN OLD.net < 0 THEN -OLD.net ELSE 0 END) & 4294967295)
  WHERE OLD.status NOT IN ('', 'open')
  ON CONFLICT (member_id, since, game_id, status) DO UPDATE SET rounds = rounds + excluded.rounds,
    stake_high = stake_high + excluded.stake_high,
    stake_low = stake_low + excluded.stake_low,
    win_high = win_high + excluded.win_high,
    win_low = win_low + excluded.win_low,
    jackpot_high = jackpot_high + excluded.jackpot_high,
    jackpot_low = jackpot_low + excluded.jackpot_low,
    won_high = won_high + excluded.won_high,
    won_low = won_low + excluded.won_low,
    lost_high = lost_high + excluded.lost_high,
    lost_low = lost_low + excluded.lost_low;
  INSERT INTO round_sum (member_id, since, game_id, status, rounds, stake_high, stake_low, win_high, win_low, jackpot_high, jackpot_low, won_high, won_low, lost_high, lost_low)
  SELECT NEW.member_id, NEW.started - NEW.started % 900000, NEW.game_id, NEW.status, 1,
    ((NEW.staked - NEW.refunded) >> 32), ((NEW.staked - NEW.refunded) & 4294967295),
    ((NEW.won) >> 32), ((NEW.won) & 4294967295),
    ((NEW.jackpot) >> 32), ((NEW.jackpot) & 4294967295),
    ((CASE WHEN NEW.net > 0 THEN NEW.net ELSE 0 END) >> 32), ((CASE WHEN NEW.net > 0 THEN NEW.net ELSE 0 END) & 4294967295),
    ((CASE WHEN NEW.net < 0 THEN -NEW.net ELSE 0 END) >> 32), ((CASE WHEN NEW.net < 0 THEN -NEW.net ELSE 0 END) & 4294967295)
  WHERE NEW.status NOT IN ('', 'open')
  ON CONFLICT (member_id, since, game_id, status) DO UPDATE SET rounds = rounds + excluded.rounds,
    stake_high = stake_high + excluded.stake_high,
    stake_low = stake_low + excluded.stake_low,
    win_high = win_high + excluded.win_high,
    win_low = win_low + excluded.win_low,
    jackpot_high = jackpot_high + excluded.jackpot_high,
    jackpot_low = jackpot_low + excluded.jackpot_low,
    won_high = won_high + excluded.won_high,
    won_low = won_low + excluded.won_low,
    lost_high = lost_high + excluded.lost_high,
    lost_low = lost_low + excluded.lost_low;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER vendor_move_adds AFTER INSERT ON vendor_move WHEN NEW.call <> 'promo'
BEGIN
  INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
  VALUES (NEW.transfer_id, NEW.vendor_id, NEW.member_id, NEW.round, NEW.game_id, NEW.at, CASE WHEN NEW.call = 'win' OR NEW.ends THEN NEW.at ELSE 0 END,
    CASE NEW.call WHEN 'bet' THEN MIN(NEW.amount, 4611686018427387904) ELSE 0 END, CASE NEW.call WHEN 'rollback' THEN MIN(NEW.amount, 4611686018427387904) ELSE 0 END,
    CASE NEW.call WHEN 'win' THEN MIN(NEW.amount, 4611686018427387904) ELSE 0 END,
    CASE NEW.call WHEN 'bet' THEN 1 WHEN 'rollback' THEN -1 ELSE 0 END, CASE NEW.call WHEN 'win' THEN 1 ELSE 0 END, CASE WHEN NEW.ends THEN 1 ELSE 0 END)
  ON CONFLICT (vendor_id, round, member_id) DO UPDATE SET game_id = MIN(game_id, excluded.game_id),
    started = MIN(started, excluded.started), settled = MAX(settled, excluded.settled),
    staked = MIN(4611686018427387904, staked + excluded.staked), refunded = MIN(4611686018427387904, refunded + excluded.refunded), won = MIN(4611686018427387904, won + excluded.won),
    standing = standing + excluded.standing, wins = wins + excluded.wins, ends = ends + excluded.ends;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER jackpot_win_adds AFTER INSERT ON jackpot_win
BEGIN
  UPDATE vendor_round SET jackpot = MIN(4611686018427387904, jackpot + NEW.amount)
  WHERE member_id = NEW.member_id AND (vendor_id, round) = (SELECT m.vendor_id, m.round FROM vendor_move m WHERE m.transfer_id = NEW.ticket_id);
END;
-- +goose StatementEnd

-- Existing rows.
INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
SELECT MIN(m.transfer_id), m.vendor_id, m.member_id, m.round, MIN(m.game_id), MIN(m.at), MAX(CASE WHEN m.call = 'win' OR m.ends THEN m.at ELSE 0 END),
  CASE WHEN SUM((CASE m.call WHEN 'bet' THEN m.amount ELSE 0 END) >> 32) > 1000000000 THEN 4611686018427387904 ELSE CAST(SUM((CASE m.call WHEN 'bet' THEN m.amount ELSE 0 END) >> 32) * 4294967296 + SUM((CASE m.call WHEN 'bet' THEN m.amount ELSE 0 END) & 4294967295) AS BIGINT) END,
  CASE WHEN SUM((CASE m.call WHEN 'rollback' THEN m.amount ELSE 0 END) >> 32) > 1000000000 THEN 4611686018427387904 ELSE CAST(SUM((CASE m.call WHEN 'rollback' THEN m.amount ELSE 0 END) >> 32) * 4294967296 + SUM((CASE m.call WHEN 'rollback' THEN m.amount ELSE 0 END) & 4294967295) AS BIGINT) END,
  CASE WHEN SUM((CASE m.call WHEN 'win' THEN m.amount ELSE 0 END) >> 32) > 1000000000 THEN 4611686018427387904 ELSE CAST(SUM((CASE m.call WHEN 'win' THEN m.amount ELSE 0 END) >> 32) * 4294967296 + SUM((CASE m.call WHEN 'win' THEN m.amount ELSE 0 END) & 4294967295) AS BIGINT) END,
  SUM(CASE m.call WHEN 'bet' THEN 1 WHEN 'rollback' THEN -1 ELSE 0 END), SUM(CASE m.call WHEN 'win' THEN 1 ELSE 0 END), SUM(CASE WHEN m.ends THEN 1 ELSE 0 END)
FROM vendor_move m WHERE m.call <> 'promo'
GROUP BY m.vendor_id, m.member_id, m.round;
UPDATE vendor_round SET jackpot = x.amount FROM (
  SELECT m.vendor_id, m.round, w.member_id, CASE WHEN SUM((w.amount) >> 32) > 1000000000 THEN 4611686018427387904 ELSE CAST(SUM((w.amount) >> 32) * 4294967296 + SUM((w.amount) & 4294967295) AS BIGINT) END AS amount
  FROM jackpot_win w JOIN vendor_move m ON m.transfer_id = w.ticket_id GROUP BY m.vendor_id, m.round, w.member_id
) x WHERE vendor_round.vendor_id = x.vendor_id AND vendor_round.round = x.round AND vendor_round.member_id = x.member_id;

-- +goose Down
DROP TRIGGER jackpot_win_adds;
DROP TRIGGER vendor_move_adds;
DROP TABLE round_sum;
DROP TABLE vendor_round;
