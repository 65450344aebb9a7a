// Asks for the newest state again and again, and shows it.
const PERIOD = 100; // [ms]
const KEY = "dadu-seat"; // kept for as long as the tab is open
let view = null, failures = 0, known = 0, over = false;

patience = 15000; // a click is not to be lost because a machine is busy

function sit(key) {
  sessionStorage.setItem(KEY, key);
  ourHeaders = { "X-DaDu-Seat": key };
  planShown = null;
  known = 0;
}

async function refresh() {
  try {
    if (!document.hidden || !view) {
      showAll(await newest());
      if (view.agents.length) await showMap(view);
    } else {
      await newest(); // so that the seat stays taken
    }
    failures = 0;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    failures += 1;
  } finally {
    showConnection(failures > 1 && !over, "What you choose does not arrive.");
    if (!over) setTimeout(refresh, PERIOD);
  }
}

async function newest() {
  const answer = await request(`/state?known=${known}`, { headers: ourHeaders });
  if (!answer.ok) throw new NoAnswer(`status ${answer.status}`);
  return JSON.parse(answer.text);
}

function showAll(state) {
  if (view && state.number !== view.number) { // another home
    planShown = null;
    things = [];
    closeMenu();
  }
  view = state;
  showThings(view);
  known = view.known;
  showHeader(view);
  showDoing(view);
  showJobs(view);
  showSaid(view);
  showCover(view);
  over = view.stage === "over";
}

$("stop-it").addEventListener("click", () => ask("/stop"));
$("done").addEventListener("click", () => ask("/end", { done: true }));
$("give-up").addEventListener("click", () => { if (confirm("Give up? The others go on without you.")) ask("/end", { done: false }); });
$("filter").addEventListener("input", () => view && showThings({ ...view, things: null }));
if (sessionStorage.getItem(KEY)) sit(sessionStorage.getItem(KEY));
refresh();
