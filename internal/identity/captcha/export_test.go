package captcha

// WorkDigest lets tests solve a proof of work.
var WorkDigest = workDigest
