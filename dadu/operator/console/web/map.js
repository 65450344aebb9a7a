// The floor plan; on it the robot, where it was, where it goes, and things.
let revision = null;

async function showMap(view) {
  if (view.revision !== revision) {
    const answer = await request("/plan.svg");
    $("plan").innerHTML = answer.text; // made by the server, names escaped
    revision = view.revision;
    delete seen.marks;
  }
  if (!$("robot")) return;
  $("trail").setAttribute("points", view.trail.map((p) => p.join(",")).join(" "));
  $("route").setAttribute("points", view.route.map((p) => p.join(",")).join(" "));
  showGoal(view.route.at(-1));
  $("robot").style.display = view.pose ? "" : "none";
  if (view.pose) $("robot").setAttribute("transform", `translate(${view.pose[0]} ${view.pose[1]}) rotate(${view.pose[2]})`);
  showMarks(view);
}

function showGoal(goal) {
  if (!$("goal").firstChild) {
    for (const radius of [13, 5]) $("goal").append(drawn("circle", { r: radius }));
  }
  $("goal").style.display = goal ? "" : "none";
  if (goal) $("goal").setAttribute("transform", `translate(${goal[0]} ${goal[1]})`);
}

// Things as dots; those that the step in progress is about, and the chosen one, with their names.
function showMarks(view) {
  const calls = view.task.status === "running" ? view.task.steps.slice(-1).map((step) => step.call).join() : "";
  const objects = view.things.filter((thing) => thing.kind === "object" && thing.at);
  const about = calls.split(/[(), ]+/);
  const named = (thing) => thing.id === chosen || about.includes(thing.id);
  const marks = objects.map((thing) => ({ id: thing.id, at: thing.at, faint: thing.confidence < 0.5, named: named(thing) }));
  if (!changed("marks", [marks, chosen, calls])) return;
  for (const piece of $("plan").querySelectorAll(".fp-furniture")) piece.classList.toggle("named", named({ id: piece.dataset.id }));
  $("marks").replaceChildren(...marks.sort((a, b) => a.named - b.named)
    .map((mark) => dot(mark.id, mark.at, mark.named, mark.faint ? " faint" : "")));
}

$("plan").addEventListener("click", (event) => {
  const id = meantBy(event, 16);
  if (id) openDetails(id);
});
