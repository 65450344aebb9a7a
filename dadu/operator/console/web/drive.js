// Driving by hand: only while something is held down, and only as long as each wish is answered. One request at a time,
// so that none waits in a queue; the robot stops by itself half a second after the last.
const KEYS = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, 1], ArrowRight: [0, -1], w: [1, 0], s: [-1, 0], a: [0, 1], d: [0, -1] };
const EVERY = 120; // [ms]
const held = new Map(); // what is held down, to [forward, turn]
let driving = false;

function wanted() {
  const sum = [...held.values()].reduce((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0]);
  return { forward: Math.max(-1, Math.min(1, sum[0])), turn: Math.max(-1, Math.min(1, sum[1])) };
}

async function drive() {
  if (driving) return;
  driving = true;
  while (held.size) {
    if (!await ask("/drive", wanted())) letGo(); // no answer: whoever drives sees nothing of what the robot does
    await new Promise((resume) => setTimeout(resume, EVERY));
  }
  driving = false;
  ask("/drive", { forward: 0, turn: 0 });
}

function hold(what, direction) {
  if (view?.operator === "stopped" || document.body.classList.contains("cut")) return;
  held.set(what, direction);
  drive();
}

function letGo(what) {
  if (what === undefined) held.clear();
  else held.delete(what);
  for (const button of $("pad").children) button.classList.toggle("held", held.has(button));
}

for (const button of $("pad").children) {
  const direction = [Number(button.dataset.forward), Number(button.dataset.turn)];
  button.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    button.setPointerCapture(event.pointerId);
    hold(button, direction);
    button.classList.toggle("held", held.has(button));
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, () => letGo(button));
  button.addEventListener("contextmenu", (event) => event.preventDefault());
}
$("pad").addEventListener("keydown", (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const own = key === " " || key === "Enter" ? event.target.dataset : null;
  const direction = own ? [Number(own.forward), Number(own.turn)] : KEYS[key];
  if (!direction || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  if (!event.repeat) hold(event.code, direction);
});
document.addEventListener("keyup", (event) => letGo(event.code));
$("pad").addEventListener("focusout", (event) => { if (!$("pad").contains(event.relatedTarget)) letGo(); });
window.addEventListener("blur", () => letGo());
document.addEventListener("visibilitychange", () => letGo());

function showDrive(view) {
  const stopped = view.operator === "stopped", running = view.task.status === "running";
  for (const button of $("pad").children) button.disabled = stopped;
  if (stopped) letGo();
  text("driving", stopped ? "Emergency stop: nothing moves until Continue."
    : view.operator === "teleop" ? "You have the robot. Two seconds after you let go it is autonomy's again."
    : running ? "Takes the robot out of its task, which goes on afterwards." : "Arrow keys work while a button has the focus.");
}
