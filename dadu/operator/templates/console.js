"use strict";
const $ = (id) => document.getElementById(id);
let revision = null, view = null;

async function send(path, body) {
  const answer = await fetch(path, {
    method: "POST", body: JSON.stringify(body ?? {}),
    headers: { "Content-Type": "application/json", "X-DaDu-Console": "1" },
  });
  if (!answer.ok) say(`refused: ${(await answer.json()).detail?.[0]?.msg ?? answer.statusText}`);
}

function say(text) {
  $("error").textContent = text;
  $("error").hidden = !text;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text; // never as HTML: words come from instructions and models
  return made;
}

function showOperator() {
  const stopped = view.operator === "stopped";
  $("operator").textContent = { autonomy: "autonomy", teleop: "a person drives", stopped: "emergency stop" }[view.operator] ?? view.operator;
  $("operator").className = `verdict ${stopped ? "bad" : view.operator === "autonomy" ? "ok" : "unsure"}`;
  $("operator").title = view.reason;
  $("stop").setAttribute("aria-pressed", stopped);
  $("stop").textContent = stopped ? "Release stop" : "STOP";
  document.body.classList.toggle("stopped", stopped);
  $("clock").textContent = `${view.stamp.toFixed(1)} s`;
}

function showTask() {
  $("status").textContent = view.status;
  $("instruction").textContent = view.instruction ? `“${view.instruction}”` : "";
  $("cancel").disabled = !view.running;
  $("steps").replaceChildren(...view.steps.toReversed().map((step) => {
    const item = element("li", step.ok === null ? "now" : "");
    const tone = step.ok === null ? "unsure" : step.ok ? "ok" : "bad";
    const body = element("div");
    body.append(element("code", "", step.call), element("p", "", step.reasoning));
    if (step.outcome) body.append(element("b", tone, step.outcome), ` ${step.message}`);
    item.append(element("span", `number ${tone}`, step.number), body);
    return item;
  }));
}

function showMemory() {
  $("count").textContent = `${view.objects.length} objects`;
  $("objects").replaceChildren(...view.objects.map((object) => {
    const row = element("tr", object.confidence < 0.5 ? "faint" : "");
    row.append(element("td", "", object.id), element("td", "quiet", object.where));
    return row;
  }));
}

async function showPlan() {
  if (view.revision !== revision) {
    revision = view.revision;
    $("plan").innerHTML = await (await fetch("/plan.svg")).text(); // made by the server, names escaped
  }
  const robot = $("robot"), path = $("path");
  if (path) path.setAttribute("points", view.path.map((p) => p.join(",")).join(" "));
  if (robot && view.pose) robot.setAttribute("transform", `translate(${view.pose[0]} ${view.pose[1]}) rotate(${view.pose[2]})`);
  if (robot) robot.style.display = view.pose ? "" : "none";
}

async function showCamera() {
  const answer = await fetch("/camera.jpg");
  const seen = answer.status === 200;
  if (seen) {
    const old = $("camera").src;
    $("camera").src = URL.createObjectURL(await answer.blob());
    if (old) URL.revokeObjectURL(old);
  }
  $("camera").hidden = !seen && !$("camera").src;
  $("no-camera").hidden = !$("camera").hidden;
}

async function refresh() {
  try {
    if (!document.hidden) {
      view = await (await fetch("/view")).json();
      showOperator(); showTask(); showMemory();
      await Promise.all([showPlan(), showCamera()]);
      if ($("error").textContent.startsWith("no answer")) say("");
    }
  } catch {
    say("no answer from the robot");
    $("operator").textContent = "no answer";
    $("operator").className = "verdict unsure";
  }
  setTimeout(refresh, 400);
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  say("");
  send("/instruction", { text: $("text").value }).then(() => { $("text").value = ""; });
});
$("cancel").addEventListener("click", () => send("/cancel"));
$("stop").addEventListener("click", () => send("/e_stop", { pressed: view?.operator !== "stopped" }));
refresh();
