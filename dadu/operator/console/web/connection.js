// Requests to the robot, and whether it answers.
let patience = 3000; // [ms] for one answer
let heardAt = performance.now();

class NoAnswer extends Error {}

// Status and text, all of it. Errors: NoAnswer.
async function request(path, options) {
  try {
    const answer = await fetch(path, { ...options, signal: AbortSignal.timeout(patience) });
    const words = await answer.text(); // may take longer than the patience, too
    heardAt = performance.now();
    return { status: answer.status, ok: answer.ok, text: words };
  } catch (error) {
    throw new NoAnswer(error.message);
  }
}

let ourHeaders = {}; // beside those that every request carries

// True: it was understood. What becomes of it is told by a notice.
async function ask(path, body) {
  return (await answered(path, body)) !== null;
}

// The answer's text; null: it was refused, which is shown, or did not come.
async function answered(path, body) {
  try {
    const answer = await request(path, {
      method: "POST", body: JSON.stringify(body ?? {}),
      headers: { "Content-Type": "application/json", "X-DaDu-Console": "1", ...ourHeaders },
    });
    if (!answer.ok) notice(`Refused: ${JSON.parse(answer.text).detail?.[0]?.msg ?? answer.text}`, false);
    return answer.ok ? answer.text : null;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return null; // said by showConnection
  }
}

// `means`: what follows from it for whoever looks at the page.
function showConnection(lost, means) {
  const silent = Math.round((performance.now() - heardAt) / 1000);
  show("lost", lost);
  if (lost) {
    text("lost", `No connection for ${silent} s: what is shown is old. ${means} Trying again.`);
  }
  document.body.classList.toggle("cut", lost);
}
