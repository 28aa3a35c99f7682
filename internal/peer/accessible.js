// What of a page shuts somebody out: an answer of this is a list of faults, a line
// each, after WCAG 2.2: names (1.1.1, 4.1.2), headings, landmarks and tables (1.3.1),
// contrast (1.4.3), a language (3.1.1).
(() => {
  const faults = [], all = s => [...document.querySelectorAll(s)];
  const seen = e => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
  const say = (what, e) => faults.push(what + ": " + e.outerHTML.slice(0, 120).replace(/\s+/g, " "));
  if (!document.documentElement.lang) faults.push("the page has no language");
  if (!document.title) faults.push("the page has no title");
  if (all("main").length !== 1) faults.push("it has " + all("main").length + " main landmarks");
  for (const e of all("input:not([type=hidden]), textarea, select")) {
    if (seen(e) && !e.getAttribute("aria-label") && ![...e.labels || []].some(l => l.textContent.trim())) say("a field without a label", e);
  }
  for (const e of all("a[href], button, summary")) {
    if (seen(e) && !e.textContent.trim() && !e.getAttribute("aria-label") && !e.querySelector("img[alt]:not([alt=''])")) say("nothing to call it by", e);
  }
  for (const e of all("img")) if (!e.hasAttribute("alt")) say("a picture without words", e);
  let level = 0;
  for (const e of all("h1, h2, h3, h4, h5, h6")) {
    if (!seen(e)) continue;
    const own = Number(e.tagName[1]);
    if (own > level + 1) say(level ? "a heading that skips a level" : "the first heading is no h1", e);
    level = own;
  }
  if (level === 0) faults.push("the page has no heading");
  for (const e of all("th")) if (!e.scope) say("a table's heading without a scope", e);
  for (const e of all("table")) if (!e.querySelector("th")) say("a table without headings", e);
  const ids = new Set();
  for (const e of all("[id]")) { if (ids.has(e.id)) say("an id that is there twice", e); ids.add(e.id); }
  for (const e of all("[aria-describedby], [aria-labelledby], label[for]")) {
    for (const id of (e.getAttribute("aria-describedby") || e.getAttribute("aria-labelledby") || e.htmlFor).split(" ")) if (!document.getElementById(id)) say("it names an id that is not there", e);
  }
  const rgba = c => { const m = c.match(/[\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const ground = e => {
    const c = e ? rgba(getComputedStyle(e).backgroundColor) : [255, 255, 255, 1];
    return c[3] === 1 ? c : over(c, ground(e.parentElement));
  };
  const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const judged = new Set();
  for (let n = words.nextNode(); n; n = words.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || judged.has(e) || !seen(e) || e.closest("#screen, .unseen, .skip, option")) continue;
    judged.add(e);
    const style = getComputedStyle(e), under = ground(e), ink = rgba(style.color);
    for (let o = e; o; o = o.parentElement) ink[3] *= Number(getComputedStyle(o).opacity);
    const [a, b] = [light(over(ink, under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(style.fontSize);
    const large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
    if (ratio < (large ? 3 : 4.5)) say("contrast " + ratio.toFixed(2), e);
  }
  return faults.join("\n");
})()
