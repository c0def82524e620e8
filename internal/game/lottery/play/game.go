package play

import (
	"fmt"
	"slices"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/schedule"
)

// ErrUnknownGame means that there is no game with that id or code.
var ErrUnknownGame = fault.New(fault.NotFound, "lottery.unknown_game")

// typeRegional is the type of all regional games in the API. The type of a fast game is its form.
const typeRegional = "regional"

// A Game is a lottery that is drawn by a timetable.
type Game struct {
	ID        int
	Code      string
	Names     Names
	Form      draw.Form
	Region    string // of a regional game
	GroupID   int
	Timetable schedule.Timetable
}

// Type returns the type of the game in the API.
func (g Game) Type() string {
	if g.Form.Regional() {
		return typeRegional
	}
	return string(g.Form)
}

// PeriodSeconds returns the time between two draws of a fast game, or a day for a regional game.
func (g Game) PeriodSeconds() int {
	if g.Form.Regional() {
		return 24 * 60 * 60
	}
	return int(g.Timetable.Period.Seconds())
}

// A Group is a group of games in the menu.
type Group struct {
	ID    int
	Names Names
}

// Groups returns the groups in menu order.
func Groups() []Group {
	return []Group{
		{1, Names{"North", "Miền Bắc"}}, {2, Names{"Central", "Miền Trung"}}, {3, Names{"South", "Miền Nam"}},
		{11, Names{"5D", "5D"}}, {12, Names{"K3", "K3"}}, {13, Names{"PK10", "PK10"}}, {14, Names{"Keno", "Keno"}},
	}
}

// fastForms are the forms of fast games with the id of their group.
var fastForms = []struct {
	form  draw.Form
	name  string
	group int
}{{draw.SSC, "5D", 11}, {draw.K3, "K3", 12}, {draw.PK10, "PK10", 13}, {draw.Keno, "Keno", 14}}

// fastMinutes are the periods of the fast games.
var fastMinutes = []int{1, 3, 5}

// Games returns all games: a game for each province of the week, and the fast games.
func Games(week schedule.Week) []Game {
	groups := map[string]int{schedule.North: 1, schedule.Central: 2, schedule.South: 3}
	var games []Game
	for _, r := range week.Regions {
		form := draw.South
		if r.Region == schedule.North {
			form = draw.North
		}
		for _, p := range r.Provinces {
			games = append(games, Game{
				ID: p.ID, Code: p.Code, Names: Names{p.Name, p.Name}, Form: form, Region: r.Region,
				GroupID: groups[r.Region], Timetable: r.Timetable(p.Code),
			})
		}
	}
	for _, f := range fastForms {
		for _, minutes := range fastMinutes {
			games = append(games, Game{
				ID: f.group*100 + minutes, Code: fmt.Sprintf("%s-%d", f.form, minutes), Form: f.form, GroupID: f.group,
				Names:     Names{fmt.Sprintf("%s, %d min", f.name, minutes), fmt.Sprintf("%s %d phút", f.name, minutes)},
				Timetable: schedule.Fast(minutes),
			})
		}
	}
	return games
}

// FindGame returns a game by its code.
func FindGame(games []Game, code string) (Game, error) {
	i := slices.IndexFunc(games, func(g Game) bool { return g.Code == code })
	if i < 0 {
		return Game{}, ErrUnknownGame.With("game", clip(code))
	}
	return games[i], nil
}
