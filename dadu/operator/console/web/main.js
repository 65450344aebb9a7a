// Asks for the newest state again and again, and shows it.
const PERIOD = 400; // [ms]
let view = null, failures = 0;

async function refresh() {
  try {
    if (!document.hidden || !view) showAll(await newest());
    if (view) await Promise.all([showMap(view), showCamera(view)]);
    failures = 0;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    failures += 1;
  } finally {
    showConnection(failures > 1, "STOP here does not reach it: use the robot’s own.");
    if (failures > 1) letGo();
    setTimeout(refresh, PERIOD);
  }
}

async function newest() {
  const answer = await request("/view");
  if (!answer.ok) throw new NoAnswer(`status ${answer.status}`);
  return JSON.parse(answer.text);
}

function showAll(state) {
  view = state;
  showHeader(view);
  showTask(view);
  showThings(view);
  showDetails(view);
  showDrive(view);
}

for (const button of document.querySelectorAll("[data-enlarges]")) {
  button.addEventListener("click", () => {
    const large = document.querySelector("main").classList.toggle(`large-${button.dataset.enlarges}`);
    button.setAttribute("aria-pressed", large);
    button.textContent = large ? "smaller" : "larger";
  });
}
refresh();
