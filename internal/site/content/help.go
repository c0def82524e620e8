package content

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ErrHasArticles refuses to delete a topic with articles, or to turn it into an article.
var ErrHasArticles = fault.ForOperators(fault.Conflict, "content.has_articles")

// Values of the column page.kind.
const (
	kindPage = "page"
	kindHelp = "help"
)

// A HelpTopic is a topic of the help centre, or an article below a topic.
type HelpTopic struct {
	Code    string              `json:"code"`
	Parent  string              `json:"parent,omitempty"` // code of an article's topic; empty: a topic
	Sorting int64               `json:"sorting"`
	Enabled bool                `json:"enabled"`
	Texts   map[string]PageText `json:"texts"` // by language
}

// check applies the rules for pages, except that languages may be missing and that a topic may have no content.
func (h HelpTopic) check() error {
	reject := func(field string) error { return malformed(field, "help", h.Code) }
	if h.Parent != "" && (!codePattern.MatchString(h.Parent) || h.Parent == h.Code) {
		return reject("parent")
	}
	if !slices.ContainsFunc(fallbackLanguages, func(l string) bool { return h.Texts[l].Title != "" }) {
		return reject("texts")
	}
	p := Page{Name: h.Code, Texts: map[string]PageText{}}
	for _, l := range languages {
		p.Texts[l] = PageText{Title: "-", Content: "-"}
	}
	for l, t := range h.Texts {
		if h.Parent == "" && t.Content == "" {
			t.Content = "-"
		}
		p.Texts[l] = t
	}
	if f := (*fault.Fault)(nil); errors.As(p.check(), &f) {
		return reject(cmp.Or(map[string]string{"name": "code"}[f.Field], f.Field))
	}
	return nil
}

// putHelp stores topics before their articles.
func (s *Service) putHelp(ctx context.Context, tx *db.Tx, merchantID int64, all []HelpTopic) error {
	ordered := slices.Clone(all)
	slices.SortStableFunc(ordered, func(a, b HelpTopic) int { return cmp.Compare(min(1, len(a.Parent)), min(1, len(b.Parent))) })
	for _, h := range ordered {
		if err := s.putHelpTopic(ctx, tx, merchantID, h); err != nil {
			return fmt.Errorf("help %s: %w", h.Code, err)
		}
	}
	return nil
}

func (s *Service) putHelpTopic(ctx context.Context, tx *db.Tx, merchantID int64, h HelpTopic) error {
	if err := checkParent(ctx, tx, merchantID, h.Code, h.Parent); err != nil {
		return err
	}
	id, err := pageID(ctx, tx, merchantID, h.Code, kindHelp)
	if err != nil {
		return err
	}
	if id == 0 {
		id = s.o.IDs()
	}
	for l, text := range h.Texts {
		sanitized := s.sanitizer.Sanitize(text.Content)
		if h.Parent != "" && !hasContent(sanitized) {
			return malformed("content."+l, "help", h.Code)
		}
		err := tx.Q.PutPage(ctx, query.PutPageParams{
			MerchantID: merchantID, Name: h.Code, Language: l, Title: text.Title, Content: sanitized, Sorting: h.Sorting,
			Enabled: h.Enabled, UpdatedAt: db.Millis(s.o.Now()), ID: id, Kind: kindHelp, Parent: h.Parent,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pageID returns the id of a page or help topic, or 0 if there is none. Pages and help topics share one namespace.
func pageID(ctx context.Context, tx *db.Tx, merchantID int64, name, kind string) (int64, error) {
	id, err := tx.Q.PageID(ctx, merchantID, name)
	if err != nil || id == 0 {
		return 0, err
	}
	stored, err := tx.Q.PageKind(ctx, merchantID, name)
	if err == nil && stored != kind {
		err = malformed("duplicate", kind, name)
	}
	return id, err
}

// checkParent fails if parent is not a topic. There are only two levels, because the app's URLs have two indexes.
func checkParent(ctx context.Context, tx *db.Tx, merchantID int64, code, parent string) error {
	if parent == "" {
		return nil
	}
	topics, err := tx.Q.HelpTopicCount(ctx, merchantID, parent)
	if err != nil {
		return err
	}
	if topics == 0 || parent == code {
		return malformed("parent", "help", code)
	}
	return checkNoArticles(ctx, tx, merchantID, code)
}

func checkNoArticles(ctx context.Context, tx *db.Tx, merchantID int64, code string) error {
	n, err := tx.Q.HelpChildren(ctx, merchantID, code)
	if err == nil && n > 0 {
		err = ErrHasArticles
	}
	return err
}

// A Topic is a topic of the help centre with its articles, in one language.
type Topic struct {
	query.HelpTopicsRow

	Articles []Topic
}

// Help returns the help centre of a merchant in display order. Articles of hidden topics are hidden.
func (s *Service) Help(ctx context.Context, merchantID int64, language string) ([]Topic, error) {
	rows, err := s.helpRows(ctx, merchantID, language)
	if err != nil {
		return nil, err
	}
	topics, indexOf := []Topic{}, map[string]int{}
	for _, row := range rows {
		if row.Parent == "" {
			indexOf[row.Name] = len(topics)
			topics = append(topics, Topic{HelpTopicsRow: row})
		}
	}
	for _, row := range rows {
		if i, ok := indexOf[row.Parent]; ok && row.Parent != "" {
			topics[i].Articles = append(topics[i].Articles, Topic{HelpTopicsRow: row})
		}
	}
	return topics, nil
}

// helpRows returns the topics and articles that members see now.
func (s *Service) helpRows(ctx context.Context, merchantID int64, language string) ([]query.HelpTopicsRow, error) {
	if err := checkLanguage(language); err != nil {
		return nil, err
	}
	rows, err := s.help.Get(ctx, cacheKey{merchantID, language}, func(ctx context.Context) ([]query.HelpTopicsRow, error) {
		rows, err := s.o.Store.Q().HelpTopics(ctx, merchantID, language)
		if err != nil {
			return nil, fmt.Errorf("read help topics: %w", err)
		}
		for i := range rows { // the sanitizer may be newer than the stored rows
			rows[i].Content = s.sanitizer.Sanitize(rows[i].Content)
		}
		return rows, nil
	})
	now, current := db.Millis(s.o.Now()), []query.HelpTopicsRow{}
	for _, row := range rows {
		if row.StartsAt <= now && (!row.EndsAt.Valid || now < row.EndsAt.Int64) {
			current = append(current, row)
		}
	}
	return current, err
}

// A Vote says whether an article helped its reader.
type Vote struct {
	MerchantID int64
	Code       string // of the article
	MemberID   int64  // 0: a visitor
	Visitor    string // random key of a visitor's browser
	Helpful    bool
}

// Vote stores a vote. A voter has one vote per article. A later vote replaces it.
func (s *Service) Vote(ctx context.Context, v Vote) error {
	rows, err := s.helpRows(ctx, v.MerchantID, languages[0])
	if err != nil {
		return err
	}
	i := slices.IndexFunc(rows, func(row query.HelpTopicsRow) bool { return row.Name == v.Code })
	if i < 0 {
		return ErrUnknown
	}
	voter := "m" + strconv.FormatInt(v.MemberID, 10)
	if v.MemberID == 0 {
		sum := sha256.Sum256([]byte(v.Visitor))
		voter = "v" + hex.EncodeToString(sum[:16])
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.PutHelpVote(ctx, query.PutHelpVoteParams{PageID: rows[i].ID, Voter: voter, Helpful: v.Helpful, VotedAt: db.Millis(s.o.Now())})
	})
	if err != nil {
		return fmt.Errorf("store vote: %w", err)
	}
	return nil
}

func addVotes(ctx context.Context, q *query.Queries, merchantID int64, entries []Entry) error {
	votes, err := q.HelpVotes(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("count votes: %w", err)
	}
	for _, v := range votes {
		for i := range entries {
			if entries[i].ID == v.PageID {
				entries[i].Helpful, entries[i].Unhelpful = v.Helpful, v.Unhelpful
			}
		}
	}
	return nil
}

func helpTopicsOf(rows []query.Page) []HelpTopic {
	var all []HelpTopic
	for _, row := range rows {
		i := slices.IndexFunc(all, func(h HelpTopic) bool { return h.Code == row.Name })
		if i < 0 {
			all = append(all, HelpTopic{Code: row.Name, Parent: row.Parent, Sorting: row.Sorting, Enabled: row.Enabled, Texts: map[string]PageText{}})
			i = len(all) - 1
		}
		all[i].Texts[row.Language] = PageText{Title: row.Title, Content: row.Content}
	}
	return all
}
