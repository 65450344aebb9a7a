// All that memory holds, as a list; also the way to it without a pointer.
function showThings(view) {
  const wanted = $("filter").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const objects = view.things.filter((thing) => thing.kind === "object").length;
  text("count", `${objects} things, ${view.things.length - objects} places`);
  const listed = view.things.filter((thing) => {
    const words = [thing.id, thing.kind, thing.where, ...thing.names, ...thing.states].join(" ").toLowerCase();
    return wanted.every((word) => words.includes(word));
  });
  keyed($("things"), listed, (thing) => thing.id, makeThing, (item, thing) => {
    const [button] = item.children, [name, where] = button.children;
    if (name.textContent !== thing.id) name.textContent = thing.id;
    const rest = [...thing.names.slice(0, 2).map((n) => `“${n}”`), thing.where, ...thing.states].filter(Boolean).join(" · ");
    if (where.textContent !== rest) where.textContent = rest;
    button.setAttribute("aria-pressed", thing.id === chosen);
    item.classList.toggle("faint", thing.confidence < 0.5);
  });
}

function makeThing(thing) {
  const item = element("li"), button = element("button");
  button.type = "button";
  button.append(element("b"), element("span", "quiet"));
  button.addEventListener("click", () => openDetails(thing.id));
  item.append(button);
  return item;
}

$("filter").addEventListener("input", () => view && showThings(view));
