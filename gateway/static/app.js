"use strict";
// All of this is on top: every page works without it.

// The address field explains as one types.
(() => {
  const field = document.getElementById("address"), out = document.getElementById("explained");
  if (!field || !out) return;
  const line = (tag, text, cls) => {
    const e = document.createElement(tag);
    e.textContent = text;
    if (cls) e.className = cls;
    return e;
  };
  let timer, latest = 0;
  const explain = async () => {
    const url = field.value.trim(), turn = ++latest;
    if (!url) { out.hidden = true; return; }
    let x;
    try {
      const r = await fetch("/explain?url=" + encodeURIComponent(url));
      x = await r.json();
    } catch { return; }
    if (turn !== latest) return;
    out.replaceChildren();
    if (x.error) {
      out.append(line("pre", x.error.line + "\n" + x.error.marker), line("p", x.error.says + " (" + x.error.cite + ")" + (x.error.fix ? "; " + x.error.fix : "")));
    } else {
      const reading = line("dl", "");
      for (const r of x.reading || []) {
        const pair = line("div", "");
        pair.append(line("dt", r.Name), line("dd", r.Value));
        reading.append(pair);
      }
      out.append(line("p", (x.refused ? "is refused here" : x.opens ? "opens here" : "is read, not opened here") + ": " + x.shown), reading);
    }
    if (x.guesses) {
      const meant = line("p", "Do you mean ");
      x.guesses.forEach((g, i) => {
        const a = line("a", g.url);
        a.href = g.page;
        meant.append(i ? ", " : "", a);
      });
      meant.append("?");
      out.append(meant);
    }
    const list = document.createElement("ul");
    for (const f of x.findings) {
      if (f.severity === "info") continue;
      const li = line("li", "", f.severity);
      li.append(line("b", f.severity), " " + f.says);
      list.append(li);
    }
    if (list.childElementCount) out.append(list);
    out.hidden = false;
  };
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(explain, 150); });
})();

// Links of other pages can come here, for the schemes that browsers allow.
(() => {
  const box = document.getElementById("handlers"), said = document.getElementById("handled");
  if (!box || !navigator.registerProtocolHandler) return;
  box.hidden = false;
  box.addEventListener("click", e => {
    const scheme = e.target.dataset && e.target.dataset.scheme;
    if (!scheme) return;
    try {
      navigator.registerProtocolHandler(scheme, location.origin + "/open?url=%s");
      said.textContent = "Your browser was asked to bring " + scheme + " links here.";
    } catch {
      said.textContent = "Your browser lets no page answer for " + scheme + ". The manual says how your system can.";
    }
  });
})();

// A terminal: keys go over a WebSocket, the screen comes back drawn.
(() => {
  const box = document.getElementById("terminal");
  if (!box) return;
  const $ = id => document.getElementById(id);
  const begin = $("begin"), state = $("state"), screen = $("screen"), form = $("line"), say = $("say"), keyboard = $("keys");
  box.hidden = false;
  const rows = Array.from({ length: 24 }, () => [["", ""]]);
  let gone = [], cursor = [-1, -1], socket;
  const draw = () => {
    const parts = [];
    if (gone.length) parts.push(gone.join("\n") + "\n");
    rows.forEach((runs, r) => {
      let col = 0;
      for (const [text, cls] of runs) {
        const chars = Array.from(text);
        const at = r === cursor[0] ? cursor[1] - col : -1;
        const span = s => {
          if (!s) return;
          const e = document.createElement("span");
          e.textContent = s;
          if (cls) e.className = cls;
          parts.push(e);
        };
        if (at >= 0 && at < chars.length) {
          span(chars.slice(0, at).join(""));
          span(chars[at]);
          parts[parts.length - 1].classList.add("cursor");
          span(chars.slice(at + 1).join(""));
        } else span(text);
        col += chars.length;
      }
      parts.push("\n");
    });
    screen.replaceChildren(...parts);
    screen.scrollTop = screen.scrollHeight;
  };
  const send = text => { if (socket && socket.readyState === WebSocket.OPEN) socket.send(text); };
  const keys = {
    Enter: "\r", Backspace: "\x7f", Tab: "\t", Escape: "\x1b", ArrowUp: "\x1b[A", ArrowDown: "\x1b[B", ArrowRight: "\x1b[C", ArrowLeft: "\x1b[D",
    Home: "\x1b[H", End: "\x1b[F", PageUp: "\x1b[5~", PageDown: "\x1b[6~", Delete: "\x1b[3~",
    F1: "\x1bOP", F2: "\x1bOQ", F3: "\x1bOR", F4: "\x1bOS",
  };
  // Keys go into a field that nobody sees, so that whatever writes into fields can
  // type here: a keyboard on a screen, an input method, a program that reads aloud.
  keyboard.addEventListener("keydown", e => {
    if (e.isComposing || e.metaKey || e.altKey || e.ctrlKey && e.shiftKey) return; // the browser's own
    if (e.shiftKey && e.key === "Tab") return; // the way out for the keyboard
    let text = keys[e.key];
    if (!text && e.ctrlKey && e.key.length === 1) {
      const code = e.key.toUpperCase().charCodeAt(0);
      if (code < 64 || code > 95) return;
      if (e.key === "v" || e.key === "c" && String(getSelection())) return;
      text = String.fromCharCode(code - 64);
    }
    if (!text) return;
    e.preventDefault();
    send(text);
  });
  const typed = () => {
    if (keyboard.value) send(keyboard.value.replace(/\r?\n/g, "\r").slice(0, 4000));
    keyboard.value = "";
  };
  keyboard.addEventListener("input", e => { if (!e.isComposing) typed(); });
  keyboard.addEventListener("compositionend", typed);
  screen.addEventListener("mouseup", () => { if (!String(getSelection())) keyboard.focus({ preventScroll: true }); });
  screen.addEventListener("keydown", e => { if (!e.ctrlKey && !e.metaKey && e.key !== "Tab") keyboard.focus({ preventScroll: true }); });
  form.addEventListener("submit", e => { e.preventDefault(); send(say.value + "\r"); say.value = ""; });
  begin.addEventListener("click", () => {
    begin.disabled = true;
    state.textContent = "connecting…";
    socket = new WebSocket((location.protocol === "https:" ? "wss://" : "ws://") + location.host + box.dataset.path);
    socket.onopen = () => { screen.hidden = keyboard.hidden = form.hidden = false; keyboard.focus(); };
    socket.onmessage = e => {
      const p = JSON.parse(e.data);
      if (p.ended) { state.textContent = p.ended; return; }
      state.textContent = "connected; Shift+Tab leaves the terminal";
      for (const r in p.rows || {}) rows[r] = p.rows[r];
      if (p.gone) gone = gone.concat(p.gone).slice(-500);
      if (p.cursor) cursor = p.cursor;
      draw();
    };
    socket.onclose = () => { begin.disabled = false; begin.textContent = "Connect again"; if (/^conn/.test(state.textContent)) state.textContent = "the session is over"; };
  });
})();
