-- +goose Up
-- A page with kind 'help' is a topic or an article of the help centre. An article names its topic in parent.
ALTER TABLE page ADD COLUMN kind TEXT NOT NULL DEFAULT 'page';
ALTER TABLE page ADD COLUMN parent TEXT NOT NULL DEFAULT '';

-- Whether an article helped: one vote per article and voter.
CREATE TABLE help_vote (
  page_id  BIGINT  NOT NULL,
  voter    TEXT    NOT NULL, -- m and the id of a member, or v and a digest of the visitor's random key
  helpful  BOOLEAN NOT NULL,
  voted_at BIGINT  NOT NULL,
  PRIMARY KEY (page_id, voter)
);

-- +goose Down
DROP TABLE help_vote;
DELETE FROM page WHERE kind <> 'page';
ALTER TABLE page DROP COLUMN parent;
ALTER TABLE page DROP COLUMN kind;
