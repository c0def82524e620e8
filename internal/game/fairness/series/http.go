package series

import (
	"context"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/platform/rest"
)

type listInput struct {
	Kind string `query:"kind" enum:"table,jackpot,lottery," doc:"Empty: all kinds."`
}

type findInput struct {
	ID string `query:"id" required:"true" maxLength:"19" pattern:"^[1-9][0-9]*$"`
}

// A Reply is the public view of a series.
type Reply struct {
	ID         string `json:"id"`
	Kind       string `json:"kind" enum:"table,jackpot,lottery"`
	Name       string `json:"name" doc:"The table, the pool or the game."`
	Generation int64  `json:"generation" doc:"Counts the series of a name, from 1."`
	State      string `json:"state" enum:"waiting,running,ended" doc:"waiting: the salt is not known yet, and no round begins."`
	Length     int64  `json:"length" doc:"Number of links."`
	Used       int64  `json:"used" doc:"The last link that a round took."`
	End        string `json:"end" doc:"The end of the chain in hexadecimal, published before the first round: link 1 has it as its SHA-256."`
	Source     string `json:"source" enum:"operator,beacon,announced" doc:"Of the salt. operator: no outside value, so the operator chose the start. beacon: a round of a public beacon that was announced before. announced: a public result that was announced before."`
	Detail     string `json:"detail" doc:"Which public value was announced."`
	DueAt      int64  `json:"dueAt" doc:"When that value becomes public, in Unix milliseconds; 0 without one."`
	Value      string `json:"value" doc:"The public value; empty without one, and while it is not known."`
	Signature  string `json:"signature" doc:"Of the beacon, in hexadecimal."`
	Salt       string `json:"salt" doc:"The first 32 hexadecimal digits of SHA-256 of kind:name:generation:end:value; empty while the series waits."`
	CreatedAt  int64  `json:"createdAt" doc:"When the end was published, in Unix milliseconds."`
	StartedAt  int64  `json:"startedAt" doc:"0 while the series waits."`
	EndedAt    int64  `json:"endedAt" doc:"0 while the series runs."`
}

type listReply struct {
	List []Reply `json:"list"`
}

// Routes registers the public endpoints.
func Routes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/series", ID: "fairnessSeries", Tag: "fairness",
		Summary: "The series of seeds of the merchant's games: ends, salts and how far they are used", Access: rest.Public,
	}, func(ctx context.Context, in *listInput) (listReply, error) {
		all, err := s.List(ctx, in.Kind)
		out := listReply{List: []Reply{}}
		visible := scope{merchantID: rest.MerchantOf(ctx).ID}
		for _, info := range all {
			if visible.maySee(info.Kind, info.Name) {
				out.List = append(out.List, ReplyOf(info))
			}
		}
		return out, err
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/oneSeries", ID: "fairnessOneSeries", Tag: "fairness",
		Summary: "One series of seeds", Access: rest.Public, Faults: []*fault.Fault{ErrNotFound},
	}, func(ctx context.Context, in *findInput) (Reply, error) {
		id, err := strconv.ParseInt(in.ID, 10, 64)
		if err != nil {
			return Reply{}, ErrNotFound
		}
		info, err := s.Find(ctx, id)
		return ReplyOf(info), err
	})
}

// ReplyOf returns the public view of a series.
func ReplyOf(info Info) Reply {
	return Reply{
		ID: strconv.FormatInt(info.ID, 10), Kind: info.Kind, Name: info.Name, Generation: info.Generation, State: info.State, Length: info.Length, Used: info.Used, End: info.End,
		Source: info.Source, Detail: info.Detail, DueAt: millisOf(info.DueAt), Value: info.Value, Signature: info.Signature, Salt: info.Salt,
		CreatedAt: millisOf(info.CreatedAt), StartedAt: millisOf(info.StartedAt), EndedAt: millisOf(info.EndedAt),
	}
}
