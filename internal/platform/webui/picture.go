package webui

import (
	"net/http"
	"path"
	"strings"
)

// pictureFolder is where the operator's own pictures are seen.
const pictureFolder = "pictures/"

// pictureTypes are what a browser draws and does nothing else with: a drawing in SVG could carry scripts of its own.
var pictureTypes = map[string]string{
	".webp": "image/webp", ".avif": "image/avif", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
}

// sendPicture sends a file of the operator's folder. Nothing outside of it can be reached, by no name and by no link.
func (a *App) sendPicture(w http.ResponseWriter, r *http.Request, name string) {
	kind := pictureTypes[strings.ToLower(path.Ext(name))]
	missing := func() { http.Error(w, "no such file", http.StatusNotFound) }
	if a.reach.Pictures == nil || kind == "" || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		missing()
		return
	}
	about, err := a.reach.Pictures.Stat(name)
	if err != nil || !about.Mode().IsRegular() { // to open a pipe would wait for whoever writes to it
		missing()
		return
	}
	file, err := a.reach.Pictures.Open(name)
	if err != nil {
		missing()
		return
	}
	defer func() { _ = file.Close() }() // it was only read
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", aDay)
	h.Set("Content-Security-Policy", "default-src 'none'")
	http.ServeContent(w, r, "", about.ModTime(), file)
}
