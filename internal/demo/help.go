package demo

import (
	"encoding/json"
	"fmt"

	"fairground/internal/platform/rest"
	"fairground/internal/site/content"
)

type helpGroup struct {
	Code     string   `json:"code"`
	Articles []string `json:"articles"`
}

// HelpTopics returns the articles about this software, for the demo and for operators who import them. The file topics.json
// has their order. One file per language has their texts.
func HelpTopics() ([]content.HelpTopic, error) {
	groups, err := read[helpGroup]("help/topics.json")
	if err != nil {
		return nil, err
	}
	texts := map[string]map[string]content.PageText{}
	for _, language := range rest.Languages() {
		raw, err := data.ReadFile("data/help/" + language + ".json")
		if err != nil {
			return nil, err
		}
		var all map[string]content.PageText
		if err := json.Unmarshal(raw, &all); err != nil {
			return nil, fmt.Errorf("help/%s.json: %w", language, err)
		}
		texts[language] = all
	}
	var topics []content.HelpTopic
	add := func(code, parent string) {
		h := content.HelpTopic{Code: code, Parent: parent, Sorting: int64(len(topics)+1) * 10, Enabled: true, Texts: map[string]content.PageText{}}
		for language, all := range texts {
			if text, ok := all[code]; ok {
				h.Texts[language] = text
			}
		}
		topics = append(topics, h)
	}
	for _, g := range groups {
		add(g.Code, "")
		for _, article := range g.Articles {
			add(article, g.Code)
		}
	}
	return topics, nil
}
