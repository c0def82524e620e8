package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"fairground/internal/demo"
)

func TestReplicasShareUploads(t *testing.T) {
	t.Parallel()
	address := copyPostgres(t, withDemo)
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	events := probe.Addr().String()
	_ = probe.Close() // only the port is needed
	data := t.TempDir()
	old := filepath.Join(data, "blobs", "avatar", "old.jpg") // of a release that used the folder
	if err := os.MkdirAll(filepath.Dir(old), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	one := start(t, "--data", data, "--db", address, "--nats-listen", events, "--demo")
	two := start(t, "--data", t.TempDir(), "--db", address, "--nats", "nats://"+events, "--demo")
	token := one.login("demo88", demo.Password)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 100, 100))); err != nil {
		t.Fatal(err)
	}
	uploaded := one.send(http.MethodPost, "/wps/member/headIcon/upload", picture.String(), "Authorization", token, "Content-Type", "image/png")
	var chosen struct{ Current string }
	if err := json.Unmarshal(uploaded.Value, &chosen); err != nil || chosen.Current == "" {
		t.Fatalf("upload: %+v, %v, want the address of the picture", uploaded, err)
	}
	for name, replica := range map[string]*program{"first": one, "second": two} {
		if status, body, _ := replica.get(chosen.Current, "Authorization", token); status != 200 || len(body) == 0 {
			t.Errorf("picture at the %s replica: %d with %d bytes, want 200", name, status, len(body))
		}
	}
	wantUpload(t, uploads(t, []string{"--data", data, "--db", address}), "avatar/old.jpg", "old")
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the moved file is still in the folder: %v", err)
	}
}
