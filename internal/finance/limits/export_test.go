package limits

// Digest returns the digest of a trait.
func Digest(d *Digester, kind, value string) []byte { return d.digest(kind, value) }
