-- +goose Up
CREATE TABLE operator (
  id            BIGINT  NOT NULL PRIMARY KEY,
  name          TEXT   NOT NULL UNIQUE, -- lower case
  role          TEXT   NOT NULL,
  password_hash TEXT   NOT NULL,
  created_at    BIGINT NOT NULL
);

-- +goose Down
DROP TABLE operator;
