// What can be done with what was pointed at: the server reads it from the table of skills.
let chosen = "";

const words = (name) => name.replaceAll("_", " ");
const said = (call) => call.map((word, index) => (index ? word : words(word))).join(" ").replace("next_to", "next to");

async function offers(id) {
  try {
    const answer = await request(`/menu?id=${encodeURIComponent(id)}`, { headers: ourHeaders });
    return answer.ok ? JSON.parse(answer.text) : [];
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return [];
  }
}

function offerButton(offer) {
  const button = element("button", "", said(offer.call));
  button.type = "button";
  button.dataset.call = offer.call.join(" ");
  button.title = offer.about;
  button.addEventListener("click", () => {
    closeMenu();
    ask("/order", { call: offer.call });
  });
  return button;
}

async function openMenu(id, x, y) {
  chosen = id;
  const thing = things.find((known) => known.id === id);
  text("menu-title", id);
  text("menu-facts", [thing?.where, ...(thing?.states ?? [])].filter(Boolean).join(", "));
  const found = await offers(id);
  if (chosen !== id) return;
  $("offers").replaceChildren(...found.map(offerButton));
  if (!found.length) $("offers").append(element("p", "quiet", "There is nothing that you could do with it now."));
  show("menu", true);
  place(x, y);
  $("menu").focus({ preventScroll: true });
}

// Beside the finger, wholly on the screen; on a phone at its foot.
function place(x, y) {
  const menu = $("menu"), small = window.innerWidth <= 520;
  for (const side of ["left", "top", "right", "bottom"]) menu.style[side] = "";
  if (small || x === undefined) return;
  const box = menu.getBoundingClientRect();
  menu.style.right = menu.style.bottom = "auto";
  menu.style.left = `${Math.max(8, Math.min(x + 14, window.innerWidth - box.width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y - 20, window.innerHeight - box.height - 8))}px`;
}

function closeMenu() {
  chosen = "";
  show("menu", false);
}

// What needs nothing to point at, such as to wait.
async function showAnywhere(view) {
  if (!changed("anywhere", [view.held, view.you, view.plan])) return;
  if (view.speed || !view.plan) { // time passes anyway
    $("anywhere").replaceChildren();
    return;
  }
  $("anywhere").replaceChildren(...(await offers("")).map(offerButton));
}

$("menu-close").addEventListener("click", closeMenu);
document.addEventListener("keydown", (event) => { if (event.key === "Escape") closeMenu(); });
