package peer

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// A Browser is Chromium without a window, driven by the DevTools protocol: one
// page that a test opens, looks at and clicks in.
type Browser struct {
	conn    *websocket.Conn
	session string
	last    int
}

// Chromium starts a browser for a test. Its profile is a folder of the test's.
func Chromium(t testing.TB) *Browser {
	t.Helper()
	program := Look(t, "chromium", "chromium")
	p := Start(t, exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--remote-debugging-port=0", "--user-data-dir="+t.TempDir(), "about:blank"))
	const mark = "DevTools listening on "
	p.await(t, mark)
	_, rest, _ := strings.Cut(p.Log(), mark)
	address, _, _ := strings.Cut(rest, "\n")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, strings.TrimSpace(address), nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(64 << 20)
	t.Cleanup(func() { conn.CloseNow() })
	b := &Browser{conn: conn}
	var target struct{ TargetID string }
	b.do(t, "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.do(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	b.do(t, "Page.enable", nil, nil)
	b.do(t, "Runtime.enable", nil, nil)
	return b
}

// leaving is what is answered to a question about a page that goes away meanwhile.
const leaving = "Inspected target navigated or closed"

// do sends a command and waits for its answer; events on the way are passed over. It
// reports whether there is one: a page that is left has none.
func (b *Browser) do(t testing.TB, method string, params map[string]any, answer any) (answered bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	b.last++
	if params == nil {
		params = map[string]any{}
	}
	if err := wsjson.Write(ctx, b.conn, map[string]any{"id": b.last, "method": method, "params": params, "sessionId": b.session}); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	for {
		var m struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := wsjson.Read(ctx, b.conn, &m); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		if m.ID != b.last {
			continue
		}
		if m.Error != nil && strings.Contains(m.Error.Message, leaving) {
			return false
		}
		if m.Error != nil {
			t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if answer != nil {
			if err := json.Unmarshal(m.Result, answer); err != nil {
				t.Fatalf("%s: %v", method, err)
			}
		}
		return true
	}
}

// Window sets how large the window is, and whether the user likes it dark.
func (b *Browser) Window(t testing.TB, width, height int, dark bool) {
	t.Helper()
	b.do(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.do(t, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Scripts turns the pages' scripts on or off.
func (b *Browser) Scripts(t testing.TB, on bool) {
	t.Helper()
	b.do(t, "Emulation.setScriptExecutionDisabled", map[string]any{"value": !on}, nil)
}

// Open goes to a URL and waits until the page is there.
func (b *Browser) Open(t testing.TB, url string) {
	t.Helper()
	var nav struct{ ErrorText string }
	b.do(t, "Page.navigate", map[string]any{"url": url}, &nav)
	if nav.ErrorText != "" {
		t.Fatalf("%s: %s", url, nav.ErrorText)
	}
	b.Await(t, "document.readyState === 'complete' && location.href !== 'about:blank'")
}

// Eval gives the value of an expression in the page, as text.
func (b *Browser) Eval(t testing.TB, expression string) string {
	t.Helper()
	var r struct {
		Result struct {
			Value any
		}
		ExceptionDetails *struct{ Text string }
	}
	b.do(t, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true}, &r)
	if r.ExceptionDetails != nil {
		t.Fatalf("%s: %s", expression, r.ExceptionDetails.Text)
	}
	if r.Result.Value == nil {
		return ""
	}
	return fmt.Sprint(r.Result.Value)
}

// Await waits until an expression holds in the page. The test fails when it
// never does.
func (b *Browser) Await(t testing.TB, expression string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if b.Eval(t, "Boolean("+expression+")") == "true" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("it never holds that %s; the page says\n%s", expression, b.Eval(t, "document.body && document.body.innerText"))
		}
	}
}

// Click follows the first link, or presses the first button, that matches a
// selector, and waits for the page that comes of it.
func (b *Browser) Click(t testing.TB, selector string) {
	t.Helper()
	quoted, err := json.Marshal(selector)
	if err != nil {
		t.Fatal(err)
	}
	b.Eval(t, "window.leaving = true")
	b.Await(t, "document.querySelector("+string(quoted)+")")
	b.Eval(t, "document.querySelector("+string(quoted)+").click()")
	b.Await(t, "!window.leaving && document.readyState === 'complete'")
}

// Type types into whatever has the focus.
func (b *Browser) Type(t testing.TB, text string) {
	t.Helper()
	for _, r := range text {
		key := map[string]any{"type": "keyDown", "text": string(r), "key": string(r)}
		if r == '\r' {
			key["key"], key["code"], key["windowsVirtualKeyCode"] = "Enter", "Enter", 13
		}
		b.do(t, "Input.dispatchKeyEvent", key, nil)
		b.do(t, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key["key"]}, nil)
	}
}

// Insert puts text where the focus is as an input method does, without any key.
func (b *Browser) Insert(t testing.TB, text string) {
	t.Helper()
	b.do(t, "Input.insertText", map[string]any{"text": text}, nil)
}

//go:embed accessible.js
var accessible string

// Accessible fails the test where the page shuts somebody out: who uses a keyboard,
// has it read aloud, or sees little contrast.
func (b *Browser) Accessible(t testing.TB, name string) {
	t.Helper()
	if faults := b.Eval(t, accessible); faults != "" {
		t.Errorf("%s: %s", name, faults)
	}
}

// Shot writes a picture of the whole page, PNG.
func (b *Browser) Shot(t testing.TB, file string) {
	t.Helper()
	var r struct{ Data string }
	b.do(t, "Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}, &r)
	png, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, png, 0o644); err != nil {
		t.Fatal(err)
	}
}
