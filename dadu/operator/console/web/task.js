// The task: what was said, what is being done, what is to come, how it ended and why.
const TONES = { done: "ok", failed: "bad", refused: "bad", lost: "bad", running: "run" };

function showTask(view) {
  const task = view.task, running = task.status === "running" || task.status === "cancelling";
  const current = task.steps.findLast((step) => step.ok === null);
  text("status", task.question ? "asks" : task.status || "none");
  $("status").className = `verdict ${task.question ? "unsure" : TONES[task.status] ?? "unsure"}`;
  text("instruction", task.instruction ? `“${task.instruction}”`
    : running ? "Given before this console was started." : "Nothing was asked for yet.");
  $("cancel").disabled = !running;
  show("under-way", running);
  if (running) showUnderWay(view, current);
  text("taken", task.taken.length ? `taken: ${task.taken.join(", ")}` : "");
  showEnd(task);
  showQuestion(task);
  if (changed("coming", task.coming)) $("coming").replaceChildren(...task.coming.map((call) => element("li", "", call)));
  if (changed("steps", task.steps)) showSteps(task);
}

function showUnderWay(view, current) {
  const task = view.task, done = current ? current.number - 1 : task.steps.at(-1)?.number ?? 0;
  const all = done + (current ? 1 : 0) + task.coming.length;
  $("progress").max = Math.max(all, 1);
  $("progress").value = done;
  text("progress-text", current ? `step ${current.number}, ${task.coming.length} expected after it`
    : task.steps.length ? "choosing the next step" : task.instruction ? "reading the instruction" : "in the middle of a step");
  text("now", current?.call ?? "");
  const waiting = { stopped: "waits: emergency stop", teleop: "waits: a person drives" }[view.operator];
  const elapsed = current ? `${Math.max(0, view.stamp - current.started).toFixed(0)} s` : "";
  text("activity", [waiting ?? task.activity, elapsed].filter(Boolean).join(" · "));
  text("reasoning", current?.reasoning ?? "");
}

function showEnd(task) {
  const over = Boolean(task.message) && !task.question;
  show("ended", over);
  if (!over) return;
  const tone = { done: "ok", uncertain: "unsure", cancelled: "unsure" }[task.status] ?? "bad";
  $("ended").className = `ended ${tone}`;
  text("outcome", task.outcome);
  text("detail", task.detail);
  text("why", task.message);
}

function showQuestion(task) {
  const waits = task.status === "running";
  if (changed("question", [task.question, task.instruction, waits]) && task.question) {
    $("reply").value = waits ? "" : task.instruction;
    text("reply-hint", waits ? "The robot waits for the answer: one of these, a name, or the instruction in other words."
      : "Say the whole instruction again, so that only one thing can be meant.");
  }
  show("answer", Boolean(task.question));
  text("question", task.question);
}

function showSteps(task) {
  const last = task.steps.at(-1);
  if (last) text("told", last.ok === null ? `step ${last.number}: ${last.call}` : `${last.call}: ${last.outcome} ${last.message}`);
  const over = task.steps.filter((step) => step.ok !== null);
  $("steps").replaceChildren(...over.toReversed().map((step) => {
    const tone = step.outcome === "SUCCEEDED" ? "ok" : step.ok ? "unsure" : "bad";
    const item = element("li"), body = element("div"), line = element("p");
    line.append(element("b", tone, step.outcome), " ", element("code", "", step.detail), ` in ${step.elapsed.toFixed(1)} s`);
    body.append(element("code", "", step.call), element("p", "quiet", step.reasoning), line);
    if (step.message) body.append(element("p", "", step.message));
    item.append(element("span", `number ${tone}`, step.number), body);
    return item;
  }));
}

// What is typed stays until it is on its way: a lost connection loses no words.
function sender(form, field, path) {
  $(form).addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await ask(path(), { text: $(field).value })) $(field).value = "";
  });
}
sender("ask", "text", () => "/instruction");
sender("answer", "reply", () => (view.task.status === "running" ? "/answer" : "/instruction"));
$("cancel").addEventListener("click", () => ask("/cancel"));
