-- +goose Up
-- A bet writes less. vendor_round finds rounds, so the index on the rounds of moves is not needed.
DROP INDEX vendor_move_round;

-- A bet that opens a round does not change totals of finished rounds. PostgreSQL calls these triggers for every statement, so they check first.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION vendor_round_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM added a WHERE a.status NOT IN ('', 'open')) THEN
    RETURN NULL;
  END IF;
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

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION vendor_round_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM was b WHERE b.status NOT IN ('', 'open') UNION ALL SELECT 1 FROM becomes a WHERE a.status NOT IN ('', 'open')) THEN
    RETURN NULL;
  END IF;
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

-- Adds only the columns that a move changes, and uses numeric only where needed.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION vendor_move_adds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO vendor_round AS r (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
  SELECT MIN(m.transfer_id), m.vendor_id, m.member_id, m.round, MIN(m.game_id), MIN(m.at), COALESCE(MAX(m.at) FILTER (WHERE m.call = 'win' OR m.ends), 0),
    LEAST(4611686018427387904, COALESCE(SUM(m.amount) FILTER (WHERE m.call = 'bet'), 0)), LEAST(4611686018427387904, COALESCE(SUM(m.amount) FILTER (WHERE m.call = 'rollback'), 0)),
    LEAST(4611686018427387904, COALESCE(SUM(m.amount) FILTER (WHERE m.call = 'win'), 0)),
    COUNT(*) FILTER (WHERE m.call = 'bet') - COUNT(*) FILTER (WHERE m.call = 'rollback'), COUNT(*) FILTER (WHERE m.call = 'win'), COUNT(*) FILTER (WHERE m.ends)
  FROM added m WHERE m.call <> 'promo'
  GROUP BY m.vendor_id, m.member_id, m.round ORDER BY m.vendor_id, m.member_id, m.round
  ON CONFLICT (vendor_id, round, member_id) DO UPDATE SET game_id = LEAST(r.game_id, excluded.game_id),
    started = LEAST(r.started, excluded.started), settled = GREATEST(r.settled, excluded.settled),
    staked = r.staked + LEAST(excluded.staked, 4611686018427387904 - r.staked), refunded = r.refunded + LEAST(excluded.refunded, 4611686018427387904 - r.refunded), won = r.won + LEAST(excluded.won, 4611686018427387904 - r.won),
    standing = r.standing + excluded.standing, wins = r.wins + excluded.wins, ends = r.ends + excluded.ends;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose Down
CREATE INDEX vendor_move_round ON vendor_move (vendor_id, round, member_id);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION vendor_round_begins() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION vendor_round_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION vendor_move_adds() RETURNS trigger LANGUAGE plpgsql AS $$
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
