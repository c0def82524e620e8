package promo

// IsBirthday is isBirthday.
var IsBirthday = isBirthday
