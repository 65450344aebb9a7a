// The camera's picture, with what was detected in that very picture.
let sightStamp = -1;

async function showCamera(view) {
  const answer = await request(`/sight?after=${sightStamp}`);
  if (answer.status === 200) {
    const sight = JSON.parse(answer.text);
    sightStamp = sight.stamp;
    $("picture").src = sight.picture;
    text("detector", sight.detector ? `${sight.boxes.length} detected by ${sight.detector.replaceAll("_", " ")}` : "no detections");
    keyed($("boxes"), sight.boxes.map((box, index) => ({ ...box, index })), (box) => String(box.index), makeBox, placeBox);
    show("sight", true);
    show("no-picture", false);
  }
  const old = sightStamp >= 0 && view.stamp - sightStamp > 3;
  $("sight").classList.toggle("old", old);
  if (old) text("detector", `picture is ${(view.stamp - sightStamp).toFixed(0)} s old`);
}

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
