// Requests to the robot, and whether it answers.
const PATIENCE = 3000; // [ms] for one answer
let heardAt = performance.now();

class NoAnswer extends Error {}

// Status and text, all of it. Errors: NoAnswer.
async function request(path, options) {
  try {
    const answer = await fetch(path, { ...options, signal: AbortSignal.timeout(PATIENCE) });
    const words = await answer.text(); // may take longer than the patience, too
    heardAt = performance.now();
    return { status: answer.status, ok: answer.ok, text: words };
  } catch (error) {
    throw new NoAnswer(error.message);
  }
}

// True: it was understood. What becomes of it is told by a notice.
async function ask(path, body) {
  try {
    const answer = await request(path, {
      method: "POST", body: JSON.stringify(body ?? {}),
      headers: { "Content-Type": "application/json", "X-DaDu-Console": "1" },
    });
    if (!answer.ok) notice(`Refused: ${JSON.parse(answer.text).detail?.[0]?.msg ?? answer.text}`, false);
    return answer.ok;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return false; // said by showConnection
  }
}

function showConnection(lost) {
  const silent = Math.round((performance.now() - heardAt) / 1000);
  show("lost", lost);
  if (lost) {
    text("lost", `No connection to the robot for ${silent} s: what is shown is old, and STOP here does not reach it. ` +
      "Use the robot's own stop. Trying again.");
  }
  document.body.classList.toggle("cut", lost);
}
