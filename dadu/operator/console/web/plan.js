// What pages with a floor plan share: shapes on it, things as dots, and which of these is meant.
const SVG = "http://www.w3.org/2000/svg";

function drawn(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function dot(id, at, named, more = "") {
  const group = drawn("g", { class: `fp-thing${more}${named ? " named" : ""}`, "data-id": id, transform: `translate(${at[0]} ${at[1]})` });
  const title = drawn("title", {}), label = drawn("text", { y: -12 });
  title.textContent = label.textContent = id;
  group.append(title, drawn("circle", { r: 14, class: "reach" }), drawn("circle", { r: named ? 8 : 6 }));
  if (named) group.append(label);
  return group;
}

// Dots are close together: the nearest one is meant, wherever within its reach [px] the finger is.
function meantBy(event, reach) {
  const dots = [...$("plan").querySelectorAll(".fp-thing circle:last-of-type")].map((circle) => {
    const box = circle.getBoundingClientRect();
    return { id: circle.parentNode.dataset.id, far: Math.hypot(event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2) };
  });
  const near = dots.filter((one) => one.far < reach).sort((a, b) => a.far - b.far)[0];
  return near?.id ?? event.target.closest("[data-id]")?.dataset.id;
}
