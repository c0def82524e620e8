package desk

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/unicode/norm"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Kinds of search terms, as stored in the database.
const (
	nameTerm   = "name"
	mobileTerm = "mobile"
)

// fold normalizes a name for searching. The result is lower case, without diacritics and with single spaces.
func fold(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(name) {
		switch r = unicode.ToLower(r); {
		case unicode.Is(unicode.Mn, r):
		case r == 'đ': // has no decomposition
			b.WriteByte('d')
		default:
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// nameTerms returns every suffix of a folded name that begins with a word, so that a prefix search finds every word.
func nameTerms(name string) (terms []string) {
	words := strings.Fields(fold(name))
	for i := range words {
		terms = append(terms, strings.Join(words[i:], " "))
	}
	return terms
}

// mobileTerms returns the digits of a number with and without its country code.
func mobileTerms(e164 string) (terms []string) {
	if e164 == "" {
		return nil
	}
	terms = []string{strings.TrimPrefix(e164, "+")}
	if number, err := phonenumbers.Parse(e164, ""); err == nil {
		terms = append(terms, phonenumbers.GetNationalSignificantNumber(number))
	}
	return terms
}

// indexBatch limits the members per transaction, because on SQLite a transaction blocks all other writes.
const indexBatch = 200

// IndexNames writes the search terms of new and renamed members. It runs as a periodic job.
func (s *Service) IndexNames(ctx context.Context) error {
	for {
		rows, err := s.o.Store.Q().UnindexedMembers(ctx, indexBatch)
		if err != nil {
			return fmt.Errorf("find renamed members: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			for _, row := range rows {
				if err := indexIn(ctx, tx, row.ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("index names: %w", err)
		}
	}
}

// indexIn writes the search terms of a member. It locks the member before it reads the names, so that it does not miss a concurrent change.
func indexIn(ctx context.Context, tx *db.Tx, id int64) error {
	if err := tx.Q.DropUnindexedMember(ctx, id); err != nil {
		return err
	}
	if err := tx.Q.LockMember(ctx, id); err != nil {
		return err
	}
	row, err := tx.Q.MemberByID(ctx, id)
	if err != nil {
		return err
	}
	if err := tx.Q.DropMemberTerms(ctx, id); err != nil {
		return err
	}
	add := func(kind string, terms []string) error {
		for _, term := range terms {
			if err := tx.Q.AddMemberTerm(ctx, query.AddMemberTermParams{MerchantID: row.MerchantID, Kind: kind, Term: term, MemberID: id}); err != nil {
				return err
			}
		}
		return nil
	}
	if err := add(nameTerm, append(nameTerms(row.Nickname), nameTerms(row.PayeeName)...)); err != nil {
		return err
	}
	return add(mobileTerm, mobileTerms(row.Mobile.String))
}
