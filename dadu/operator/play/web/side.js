// Beside the plan: what you do, the parts of the task, what is said, what you know; and before it, who plays whom.
let things = [];

function showHeader(view) {
  text("role", view.you ? `you are ${view.you}` : "nobody yet");
  $("role").className = `verdict ${view.you ? "ok" : "unsure"}`;
  text("held", view.held || "empty");
  $("held").classList.toggle("full", Boolean(view.held));
  text("clock", view.stage === "running" ? `${view.time.toFixed(0)} of ${view.limit.toFixed(0)} s` : "");
  $("clock").title = view.speed ? `simulated; ${view.speed} times real time, while you think, too` : "simulated; time stands while you think";
  text("instruction", view.stage === "running" ? `“${view.instruction}”` : "");
  const plays = view.stage === "running" && Boolean(view.you) && !view.ended;
  show("done", plays);
  show("give-up", plays);
  text("ledger", view.ledger);
}

function showDoing(view) {
  text("state", view.ended ? "through: the others go on" : view.doing ? "busy" : "click on the plan, or on what you know");
  text("doing", view.doing || (view.ended ? "" : "waiting for you"));
  show("stop-it", Boolean(view.doing));
  const others = view.agents.length > 1 && view.knowledge === "shared" ? ", or what others saw" : "";
  text("hint", view.knowledge === "privileged" ? "Privileged: you know where everything is, also what nobody has seen."
    : `You see what is in the light before you, in the room that you are in; of the rest you know what you saw${others}.`);
  showAnywhere(view);
  if (!changed("steps", view.steps)) return;
  $("steps").replaceChildren(...view.steps.toReversed().map((step) => {
    const item = element("li"), body = element("div");
    const tone = step.ok === null || step.outcome === "CANCELLED" ? "unsure" : step.ok ? "ok" : "bad"; // you broke it off yourself
    item.append(element("span", `number ${tone}`, step.number), body);
    body.append(element("code", "", step.call), " ", ...(step.ok === false ? [element("b", tone, words(step.outcome).toLowerCase())] : []));
    if (step.message) body.append(element("p", "quiet", step.message));
    return item;
  }));
}

function showJobs(view) {
  text("no-jobs", view.jobs.length ? "" : "They are not clear yet: more has to be seen.");
  const others = view.agents.filter((agent) => !agent.you).map((agent) => agent.name);
  if (!changed("jobs", [view.jobs, others, view.ended])) return;
  $("jobs").replaceChildren(...view.jobs.map((job) => {
    const item = element("li", job.done ? "done" : ""), body = element("div");
    item.append(body);
    body.append(job.words, ...(job.by && !job.done ? [" · ", element("b", "", job.by === view.you ? "yours" : job.by)] : []));
    if (job.done || !others.length || view.ended) return item;
    const row = element("p");
    const say = (label, act, to) => {
      const button = element("button", "", label);
      button.type = "button";
      button.dataset.say = `${act} ${to ?? ""}`.trim();
      button.addEventListener("click", () => ask("/say", { act, job: job.name, to: to ?? "" }));
      row.append(button);
    };
    if (job.by === view.you) say("I am done with it", "done"); else say("I take it", "take");
    for (const other of others) if (job.by !== other) say(`Can you, ${other}?`, "ask", other);
    say("I cannot", "cannot");
    item.append(row);
    return item;
  }));
}

function showSaid(view) {
  text("talk-hint", view.agents.length > 1 ? "by all; answer with the buttons above" : "you are alone");
  if (!changed("said", view.said)) return;
  $("said").replaceChildren(...view.said.map((message) => {
    const item = element("li", message.text.startsWith(`${view.you},`) ? "to-you" : "");
    item.append(element("span", "", `${message.stamp.toFixed(0)} s `), element("b", "", message.sender), ` ${message.text}`);
    return item;
  }));
  $("said").scrollTop = $("said").scrollHeight;
}

function showThings(view) {
  if (view.things) things = view.things;
  const wanted = $("filter").value.trim().toLowerCase();
  const shown = things.filter((thing) => !wanted || `${words(thing.id)} ${thing.id} ${thing.where} ${thing.states.join(" ")}`.toLowerCase().includes(wanted));
  if (!changed("things", [shown, view.held])) return;
  const objects = things.filter((thing) => thing.kind === "object").length;
  text("count", `${objects} thing${objects === 1 ? "" : "s"} seen`);
  const order = ["object", "furniture", "room"];
  keyed($("things"), shown.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)), (thing) => thing.id, (thing) => {
    const item = element("li"), button = element("button");
    button.type = "button";
    button.append(element("b", "", thing.id), element("span"));
    button.addEventListener("click", (event) => openMenu(thing.id, event.clientX || undefined, event.clientY));
    item.append(button);
    return item;
  }, (item, thing) => {
    const told = [thing.where, ...thing.states].filter(Boolean).join(", ");
    if (item.querySelector("span").textContent !== told) item.querySelector("span").textContent = told;
  });
}

// Between episodes: the last one's verdict, the next one's words, who plays whom.
function showCover(view) {
  const open = view.stage !== "running" || !view.you;
  show("cover", open);
  if (!open || !changed("cover", [view.stage, view.seats, view.verdict, view.number, view.you])) return;
  const over = view.stage === "over", you = view.seats.find((seat) => seat.yours);
  text("cover-count", over ? "" : `Task ${view.number} of ${view.episodes}`);
  showVerdict(view.verdict);
  text("cover-title", over ? "That was all. Thank you." : `“${view.instruction}”`);
  text("cover-words", over ? "You may close this page." : view.stage === "running" ? "It is under way." : you ? `You play ${you.agent}.` : "Whom do you play?");
  $("seats").replaceChildren(...(over ? [] : you ? [startButton(you)] : view.seats.map(joinButton)));
  const missing = view.seats.filter((seat) => !seat.ready && !seat.yours).map((seat) => seat.agent);
  text("cover-hint", over || view.stage === "running" ? "" : you?.ready && missing.length ? `Waiting for ${missing.join(" and ")}.`
    : view.speed ? "Time begins to run once everybody has pressed Start, and runs while you think." : "Time stands while you think.");
}

function showVerdict(verdict) {
  show("verdict", Boolean(verdict));
  if (!verdict) return;
  $("verdict").className = `ended ${verdict.success ? "ok" : "bad"}`;
  text("verdict-word", verdict.success ? `Done, in ${verdict.seconds.toFixed(0)} s` : `Not done: ${Math.round(100 * verdict.percent_complete)} % in ${verdict.seconds.toFixed(0)} s`);
  text("verdict-why", verdict.explanation);
}

function startButton(you) {
  const button = element("button", "main", you.ready ? "Ready" : "Start");
  button.id = "start";
  button.disabled = you.ready;
  button.addEventListener("click", () => ask("/start"));
  return button;
}

function joinButton(seat) {
  const button = element("button", "main", seat.taken ? `${seat.agent} is taken` : `Play ${seat.agent}`);
  button.disabled = seat.taken;
  button.dataset.agent = seat.agent;
  button.addEventListener("click", async () => {
    const answer = await answered("/join", { agent: seat.agent });
    if (answer !== null) sit(JSON.parse(answer).key);
  });
  return button;
}
