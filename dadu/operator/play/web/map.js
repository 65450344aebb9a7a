// The home from above, as far as your agent knows it; on it agents, things, and what is in view.
const VIEW = { width: 100, range: 360 }; // [deg], [px of the plan]: 4 m
let planShown = null;

async function showMap(view) {
  if (view.plan !== planShown) {
    const answer = await request("/plan.svg", { headers: ourHeaders });
    if (!answer.ok || !answer.text) return;
    $("plan").innerHTML = answer.text; // made by the server, names escaped
    planShown = view.plan;
    $("marks").before(drawn("g", { id: "cone" }));
    $("marks").after(drawn("g", { id: "agents" }), drawn("g", { id: "names" }));
    delete seen.marks;
    delete seen.cone;
  }
  showMarks();
  showAgents(view);
}

function showAgents(view) {
  keyed($("agents"), view.agents, (agent) => agent.name, (agent) => {
    const group = drawn("g", { class: `fp-agent${agent.person ? " person" : ""}${agent.you ? " you" : ""}` });
    group.append(drawn("circle", { r: 14 }), drawn("path", { d: "M14 0 L3 -7 L3 7 Z" }));
    return group;
  }, (group, agent) => {
    const [x, y, turn] = agent.pose;
    group.setAttribute("style", `transform: translate(${x}px, ${y}px) rotate(${turn}deg)`);
  });
  keyed($("names"), view.agents, (agent) => agent.name, (agent) => {
    const name = drawn("text", { class: "fp-name" });
    name.textContent = agent.you ? "you" : agent.name;
    return name;
  }, (name, agent) => {
    name.setAttribute("x", agent.pose[0]);
    name.setAttribute("y", agent.pose[1] - 20);
  });
  showCone(view.agents.find((agent) => agent.you), view.room);
}

// What is in view lies in the same room, before you, and not too far.
function showCone(you, room) {
  if (!you || !changed("cone", [you.pose, room])) return;
  const outline = [...$("plan").querySelectorAll(".fp-room")].find((shape) => shape.dataset.id === room);
  const [x, y, turn] = you.pose, far = VIEW.range;
  const corner = (side) => { const a = (turn + side * VIEW.width / 2) * Math.PI / 180; return `${x + far * Math.cos(a)} ${y + far * Math.sin(a)}`; };
  const clip = drawn("clipPath", { id: "in-room" });
  if (outline) clip.append(drawn("polygon", { points: outline.getAttribute("points") }));
  const cone = drawn("path", { class: "fp-cone", d: `M${x} ${y} L${corner(-1)} A${far} ${far} 0 0 1 ${corner(1)} Z` });
  if (outline) cone.setAttribute("clip-path", "url(#in-room)");
  $("cone").replaceChildren(clip, cone);
}

// Things as dots; the chosen one with its name.
function showMarks() {
  const dots = things.filter((thing) => thing.kind === "object" && thing.at);
  if (!changed("marks", [dots, chosen])) return;
  for (const piece of $("plan").querySelectorAll(".fp-furniture, .fp-room")) piece.classList.toggle("chosen", piece.dataset.id === chosen);
  $("marks").replaceChildren(...dots.sort((a, b) => (a.id === chosen) - (b.id === chosen))
    .map((thing) => dot(thing.id, thing.at, thing.id === chosen)));
}

$("plan").addEventListener("click", (event) => {
  const id = meantBy(event, 12);
  if (id) openMenu(id, event.clientX, event.clientY);
  else closeMenu();
});
