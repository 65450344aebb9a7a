// Small helpers. Words come from instructions and models: they are put in as text, never as HTML.
const $ = (id) => document.getElementById(id);
const seen = {};

function element(tag, className, words) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (words !== undefined) made.textContent = words;
  return made;
}

function text(id, words) {
  if ($(id).textContent !== words) $(id).textContent = words;
}

function show(id, visible) {
  $(id).hidden = !visible;
}

// Whether a value differs from what was shown under this name: what has not changed is left alone, selection and all.
function changed(name, value) {
  const now = JSON.stringify(value);
  if (seen[name] === now) return false;
  seen[name] = now;
  return true;
}

// Children of a parent by key: kept where they are, so that none loses the focus.
function keyed(parent, items, keyOf, make, update) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  items.forEach((item, index) => {
    const key = keyOf(item);
    let child = old.get(key);
    old.delete(key);
    if (!child) {
      child = make(item);
      child.dataset.key = key;
    }
    update(child, item);
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
  old.forEach((child) => child.remove());
}

let noticeEnds = 0;
function notice(words, ok) {
  text("notice", words);
  $("notice").classList.toggle("bad", !ok);
  show("notice", Boolean(words));
  clearTimeout(noticeEnds);
  noticeEnds = setTimeout(() => show("notice", false), ok ? 6000 : 15000);
}
$("notice").addEventListener("click", () => show("notice", false));
