-- +goose Up
-- State of each round, updated with its moves. So a page of the betting record is one read, and a bet costs the same in
-- a long round. Amounts stop at 2^62.
CREATE TABLE vendor_round (
  first_id  BIGINT NOT NULL PRIMARY KEY, -- transfer of its first move
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
);

-- +goose StatementBegin
CREATE FUNCTION vendor_round_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO round_sum AS s (member_id, since, game_id, status, rounds, stake_high, stake_low, win_high, win_low, jackpot_high, jackpot_low, won_high, won_low, lost_high, lost_low)
  SELECT r.member_id, r.started - r.started % 900000, r.game_id, r.status, SUM(r.sign),
    SUM(r.sign * ((r.staked - r.refunded) >> 32)), SUM(r.sign * ((r.staked - r.refunded) & 4294967295)),
    SUM(r.sign * ((r.won) >> 32)), SUM(r.sign * ((r.won) & 4294967295)),
    SUM(r.sign * ((r.jackpot) >> 32)), SUM(r.sign * ((r.jackpot) & 4294967295)),
    SUM(r.sign * ((CASE WHEN r.net > 0 THEN r.net ELSE 0 END) >> 32)), SUM(r.sign * ((CASE WHEN r.net > 0 THEN r.net ELSE 0 END) & 4294967295)),
    SUM(r.sign * ((CASE WHEN r.net < 0 THEN -r.net ELSE 0 END) >> 32)), SUM(r.sign * ((CASE WHEN r.net < 0 THEN -r.net ELSE 0 END) & 4294967295))
  FROM (SELECT 1 AS sign, a.* FROM added a) r WHERE r.status NOT IN ('', 'open')
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (member_id, since, game_id, status) DO UPDATE SET rounds = s.rounds + excluded.rounds,
    stake_high = s.stake_high + excluded.stake_high,
    stake_low = s.stake_low + excluded.stake_low,
    win_high = s.win_high + excluded.win_high,
    win_low = s.win_low + excluded.win_low,
    jackpot_high = s.jackpot_high + excluded.jackpot_high,
    jackpot_low = s.jackpot_low + excluded.jackpot_low,
    won_high = s.won_high + excluded.won_high,
    won_low = s.won_low + excluded.won_low,
    lost_high = s.lost_high + excluded.lost_high,
    lost_low = s.lost_low + excluded.lost_low;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER vendor_round_begins AFTER INSERT ON vendor_round REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION vendor_round_begins();

-- +goose StatementBegin
CREATE FUNCTION vendor_round_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO round_sum AS s (member_id, since, game_id, status, rounds, stake_high, stake_low, win_high, win_low, jackpot_high, jackpot_low, won_high, won_low, lost_high, lost_low)
  SELECT r.member_id, r.started - r.started % 900000, r.game_id, r.status, SUM(r.sign),
    SUM(r.sign * ((r.staked - r.refunded) >> 32)), SUM(r.sign * ((r.staked - r.refunded) & 4294967295)),
    SUM(r.sign * ((r.won) >> 32)), SUM(r.sign * ((r.won) & 4294967295)),
    SUM(r.sign * ((r.jackpot) >> 32)), SUM(r.sign * ((r.jackpot) & 4294967295)),
    SUM(r.sign * ((CASE WHEN r.net > 0 THEN r.net ELSE 0 END) >> 32)), SUM(r.sign * ((CASE WHEN r.net > 0 THEN r.net ELSE 0 END) & 4294967295)),
    SUM(r.sign * ((CASE WHEN r.net < 0 THEN -r.net ELSE 0 END) >> 32)), SUM(r.sign * ((CASE WHEN r.net < 0 THEN -r.net ELSE 0 END) & 4294967295))
  FROM (SELECT -1 AS sign, b.* FROM was b UNION ALL SELECT 1, a.* FROM becomes a) r WHERE r.status NOT IN ('', 'open')
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (member_id, since, game_id, status) DO UPDATE SET rounds = s.rounds + excluded.rounds,
    stake_high = s.stake_high + excluded.stake_high,
    stake_low = s.stake_low + excluded.stake_low,
    win_high = s.win_high + excluded.win_high,
    win_low = s.win_low + excluded.win_low,
    jackpot_high = s.jackpot_high + excluded.jackpot_high,
    jackpot_low = s.jackpot_low + excluded.jackpot_low,
    won_high = s.won_high + excluded.won_high,
    won_low = s.won_low + excluded.won_low,
    lost_high = s.lost_high + excluded.lost_high,
    lost_low = s.lost_low + excluded.lost_low;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER vendor_round_goes_on AFTER UPDATE ON vendor_round REFERENCING OLD TABLE AS was NEW TABLE AS becomes
FOR EACH STATEMENT EXECUTE FUNCTION vendor_round_goes_on();

-- The transfer holds the member's lock, so no other transaction changes the same rounds.
-- +goose StatementBegin
CREATE FUNCTION vendor_move_adds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO vendor_round AS r (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
  SELECT MIN(m.transfer_id), m.vendor_id, m.member_id, m.round, MIN(m.game_id), MIN(m.at), MAX(CASE WHEN m.call = 'win' OR m.ends THEN m.at ELSE 0 END),
    CASE WHEN SUM((CASE m.call WHEN 'bet' THEN m.amount ELSE 0 END) >> 32) > 1000000000 THEN 4611686018427387904 ELSE CAST(SUM((CASE m.call WHEN 'bet' THEN m.amount ELSE 0 END) >> 32) * 4294967296 + SUM((CASE m.call WHEN 'bet' THEN m.amount ELSE 0 END) & 4294967295) AS BIGINT) END,
    CASE WHEN SUM((CASE m.call WHEN 'rollback' THEN m.amount ELSE 0 END) >> 32) > 1000000000 THEN 4611686018427387904 ELSE CAST(SUM((CASE m.call WHEN 'rollback' THEN m.amount ELSE 0 END) >> 32) * 4294967296 + SUM((CASE m.call WHEN 'rollback' THEN m.amount ELSE 0 END) & 4294967295) AS BIGINT) END,
    CASE WHEN SUM((CASE m.call WHEN 'win' THEN m.amount ELSE 0 END) >> 32) > 1000000000 THEN 4611686018427387904 ELSE CAST(SUM((CASE m.call WHEN 'win' THEN m.amount ELSE 0 END) >> 32) * 4294967296 + SUM((CASE m.call WHEN 'win' THEN m.amount ELSE 0 END) & 4294967295) AS BIGINT) END,
    SUM(CASE m.call WHEN 'bet' THEN 1 WHEN 'rollback' THEN -1 ELSE 0 END), SUM(CASE m.call WHEN 'win' THEN 1 ELSE 0 END), SUM(CASE WHEN m.ends THEN 1 ELSE 0 END)
  FROM added m WHERE m.call <> 'promo'
  GROUP BY m.vendor_id, m.member_id, m.round ORDER BY m.vendor_id, m.member_id, m.round
  ON CONFLICT (vendor_id, round, member_id) DO UPDATE SET game_id = LEAST(r.game_id, excluded.game_id),
    started = LEAST(r.started, excluded.started), settled = GREATEST(r.settled, excluded.settled),
    staked = LEAST(4611686018427387904, CAST(r.staked AS NUMERIC) + excluded.staked), refunded = LEAST(4611686018427387904, CAST(r.refunded AS NUMERIC) + excluded.refunded),
    won = LEAST(4611686018427387904, CAST(r.won AS NUMERIC) + excluded.won),
    standing = r.standing + excluded.standing, wins = r.wins + excluded.wins, ends = r.ends + excluded.ends;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER vendor_move_adds AFTER INSERT ON vendor_move REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION vendor_move_adds();

-- +goose StatementBegin
CREATE FUNCTION jackpot_win_adds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE vendor_round r SET jackpot = LEAST(4611686018427387904, CAST(r.jackpot AS NUMERIC) + NEW.amount)
  FROM vendor_move m WHERE m.transfer_id = NEW.ticket_id AND r.vendor_id = m.vendor_id AND r.round = m.round AND r.member_id = NEW.member_id;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER jackpot_win_adds AFTER INSERT ON jackpot_win FOR EACH ROW EXECUTE FUNCTION jackpot_win_adds();

-- State of existing moves. The triggers block other writers until the commit.
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
DROP TRIGGER jackpot_win_adds ON jackpot_win;
DROP FUNCTION jackpot_win_adds();
DROP TRIGGER vendor_move_adds ON vendor_move;
DROP FUNCTION vendor_move_adds();
DROP TABLE round_sum;
DROP TABLE vendor_round;
DROP FUNCTION vendor_round_begins();
DROP FUNCTION vendor_round_goes_on();
