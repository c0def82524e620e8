package webui

import (
	"net/http"
	"path"
	"strings"
)

// pictureFolder is the path prefix of the operator's pictures, below the base.
const pictureFolder = "pictures/"

// pictureTypes lists the allowed image types. SVG is not allowed because it can contain scripts.
var pictureTypes = map[string]string{
	".webp": "image/webp", ".avif": "image/avif", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
}

// sendPicture sends a file from the operator's folder. The os.Root prevents access outside the folder.
func (a *App) sendPicture(w http.ResponseWriter, r *http.Request, name string) {
	kind := pictureTypes[strings.ToLower(path.Ext(name))]
	notFound := func() { http.Error(w, "no such file", http.StatusNotFound) }
	if a.options.Pictures == nil || kind == "" || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		notFound()
		return
	}
	info, err := a.options.Pictures.Stat(name)
	if err != nil || !info.Mode().IsRegular() { // opening a named pipe would block until it has a writer
		notFound()
		return
	}
	file, err := a.options.Pictures.Open(name)
	if err != nil {
		notFound()
		return
	}
	defer func() { _ = file.Close() }()
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", oneDay)
	h.Set("Content-Security-Policy", "default-src 'none'")
	http.ServeContent(w, r, "", info.ModTime(), file)
}
