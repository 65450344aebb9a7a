// One thing: what is known of it, and how to correct that.
let chosen = null, cameFrom = null;

function openDetails(id) {
  const thing = view?.things.find((known) => known.id === id);
  if (!thing) return;
  if ($("details").hidden) cameFrom = document.activeElement;
  chosen = id;
  const places = view.things.filter((known) => known.kind !== "object").map((known) => known.id);
  $("place").replaceChildren(...places.map((place) => element("option", "", place)));
  const at = places.find((place) => thing.where.includes(place));
  if (at) $("place").value = at;
  $("relation").value = thing.where.startsWith("in ") ? "in" : "on";
  $("name").value = $("kind").value = "";
  show("is-a", thing.kind === "object");
  show("moved", thing.kind === "object");
  show("not-there", thing.kind !== "room");
  showPicture(thing);
  show("details", true);
  showDetails(view);
  $("details").focus();
}

// As it was seen best; nothing where it was never seen whole.
function showPicture(thing) {
  const picture = $("details-picture");
  show("details-picture", false);
  picture.alt = `${thing.id}, as it was seen best`;
  picture.src = `/picture/${encodeURIComponent(thing.id)}?seen=${thing.seen}`;
}
$("details-picture").addEventListener("load", () => show("details-picture", true));

// Whether there was something to close.
function closeDetails() {
  if ($("details").hidden) return false;
  show("details", false);
  chosen = null;
  cameFrom?.focus();
  return true;
}

function showDetails(view) {
  if (!chosen) return;
  const thing = view.things.find((known) => known.id === chosen);
  for (const id of ["is-a", "called", "moved", "not-there"]) $(id).inert = !thing;
  text("details-title", chosen);
  if (!thing) {
    text("details-facts", "Memory no longer holds it.");
    return;
  }
  const facts = [thing.at === null ? "in the hand" : thing.where, ...thing.states,
    thing.names.length ? `also called ${thing.names.join(", ")}` : "",
    thing.may_be.length ? `may also be a ${thing.may_be.join(" or a ")}` : "",
    `${Math.round(100 * thing.confidence)} % sure`, `${SOURCES[thing.source] ?? thing.source}${age(view.stamp - thing.seen, thing)}`];
  text("details-facts", facts.filter(Boolean).join(" · "));
}

const SOURCES = { prior: "told beforehand", detection: "seen", skill: "by its own doing", operator: "by an operator" };
const age = (seconds, thing) => thing.source === "prior" ? "" : ` ${Math.max(0, seconds).toFixed(0)} s ago`;

function corrects(form, correction) {
  $(form).addEventListener("submit", async (event) => {
    event.preventDefault();
    const sent = correction();
    const done = await ask("/correction", { id: chosen, ...sent });
    // What was written meanwhile, here or in another field, stays.
    if (done) for (const id of ["name", "kind"]) if ($(form).contains($(id)) && $(id).value === sent.name) $(id).value = "";
  });
}
corrects("called", () => ({ action: "called", name: $("name").value }));
corrects("is-a", () => ({ action: "is_a", name: $("kind").value }));
corrects("moved", () => ({ action: "moved", relation: $("relation").value, place: $("place").value }));
$("not-there").addEventListener("click", () => ask("/correction", { action: "not_there", id: chosen }));
$("undo").addEventListener("click", () => ask("/correction", { action: "undo" }));
$("details-close").addEventListener("click", closeDetails);
