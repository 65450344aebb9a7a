// The camera's picture, with what was detected in that very picture; or the robot from outside, in a simulator.
let sightStamp = -1, eye = "robot";

async function showCamera(view) {
  const asked = eye;
  show("eyes", view.outside);
  if (!view.outside) lookThrough("robot");
  const answer = await request(`/sight?after=${sightStamp}&outside=${asked === "outside"}`);
  if (asked !== eye) return; // chosen meanwhile
  if (answer.status === 200) {
    const sight = JSON.parse(answer.text);
    sightStamp = sight.stamp;
    $("picture").src = sight.picture;
    text("detector", eye === "outside" ? "seen from outside" : sight.detector ? `${sight.boxes.length} detected by ${sight.detector.replaceAll("_", " ")}` : "no detections");
    keyed($("boxes"), sight.boxes.map((box, index) => ({ ...box, index })), (box) => String(box.index), makeBox, placeBox);
    show("sight", true);
    show("no-picture", false);
  }
  const old = sightStamp >= 0 && view.stamp - sightStamp > 3;
  $("sight").classList.toggle("old", old);
  if (old) text("detector", `picture is ${(view.stamp - sightStamp).toFixed(0)} s old`);
}

function lookThrough(chosenEye) {
  if (eye === chosenEye) return;
  eye = chosenEye;
  sightStamp = -1;
  $("picture").alt = eye === "outside" ? "the robot, seen from outside" : "what the robot's camera sees";
  text("no-picture", eye === "outside" ? "the picture from outside comes in a moment" : "no picture yet");
  show("sight", false);
  show("no-picture", true);
  text("detector", "");
  for (const button of $("eyes").children) button.setAttribute("aria-pressed", button.dataset.eye === eye);
}
$("eyes").addEventListener("click", (event) => {
  if (event.target.dataset.eye) lookThrough(event.target.dataset.eye);
});

function makeBox() {
  const made = element("div", "box");
  made.append(element("span"));
  return made;
}

function placeBox(made, box) {
  for (const [name, share] of [["left", box.x], ["top", box.y], ["width", box.width], ["height", box.height]]) {
    made.style[name] = `${(100 * share).toFixed(2)}%`;
  }
  made.dataset.id = box.id;
  made.title = `${box.id || box.label} ${Math.round(100 * box.score)} %`;
  made.classList.toggle("known", Boolean(box.id));
  made.classList.toggle("chosen", Boolean(box.id) && box.id === chosen);
  made.classList.toggle("at-top", box.y < 0.05);
  made.classList.toggle("at-right", box.x > 0.7);
  made.firstChild.textContent = box.id || box.label;
}

$("boxes").addEventListener("click", (event) => {
  const id = event.target.closest(".box")?.dataset.id;
  if (id) openDetails(id);
});
