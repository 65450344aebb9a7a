// Who has the robot, what it holds, stop and continue.
const OPERATOR = { autonomy: "autonomy", teleop: "a person drives", stopped: "EMERGENCY STOP", "no answer": "no answer" };
let stopWanted = false, noticed = null;

function showHeader(view) {
  const tone = { autonomy: "ok", teleop: "unsure" }[view.operator] ?? "bad";
  text("operator", OPERATOR[view.operator]);
  $("operator").className = `verdict ${tone}`;
  $("operator").title = view.reason;
  if (view.operator === "stopped") stopWanted = false;
  $("stop").classList.toggle("pressed", view.operator === "stopped");
  $("stop").firstChild.textContent = stopWanted ? "stopping… " : view.operator === "stopped" ? "STOPPED " : "STOP ";
  document.body.classList.toggle("stopped", view.operator === "stopped");
  show("continue", view.operator === "stopped" || view.operator === "teleop");
  text("continue", view.operator === "teleop" ? "Give it back" : "Continue");
  text("held", view.held || (view.things.length ? "empty" : "not known")); // nothing was heard of memory yet
  $("held").classList.toggle("full", Boolean(view.held));
  text("clock", `${view.stamp.toFixed(1)} s`);
  text("ledger", view.ledger);
  text("troubles", view.troubles.join(" · "));
  if (noticed !== null && view.notice.number !== noticed) notice(view.notice.text, view.notice.ok);
  noticed = view.notice.number;
}

// Never a toggle: pressed twice in fear it stays a stop. Said again until the robot says that it has stopped.
async function stop() {
  if (stopWanted) return;
  stopWanted = true;
  $("stop").firstChild.textContent = "stopping… ";
  for (const end = performance.now() + 20000; stopWanted && performance.now() < end;) {
    await ask("/e_stop", { pressed: true });
    await new Promise((resume) => setTimeout(resume, 300));
  }
  stopWanted = false;
}

function goOn() {
  stopWanted = false;
  if (view?.operator === "stopped") ask("/e_stop", { pressed: false });
  else ask("/release");
}

$("stop").addEventListener("click", stop);
$("continue").addEventListener("click", goOn);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.repeat || event.isComposing) return;
  event.preventDefault();
  if (!closeDetails()) stop(); // Escape closes what is open, and is otherwise the stop
});
