// Talking to the coordinator: questions, orders, and the stream of what happens.

async function answer(response) {
  const text = await response.text();
  if (!response.ok) {
    const fault = new Error(told(text) ?? (text.trim() || `status ${response.status}`));
    fault.status = response.status;
    throw fault;
  }
  return text ? JSON.parse(text) : {};
}

// What a fault says; nothing where it is not in the form that the coordinator gives its own.
function told(text) {
  try {
    return JSON.parse(text).error;
  } catch {
    return undefined;
  }
}

export const get = async (path) => answer(await fetch(path, { cache: "no-store" }));

export const post = async (path, body) =>
  answer(
    await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

// No more values are shown than this often, milliseconds: however fast they come, nothing waits but the newest.
const SHOWN_EVERY = 30;

// Follows a stream: `see` is given the newest value that has come. A browser dials again by itself where the
// connection breaks, but not where it is refused: then `lost` may say where to go on.
export function follow(path, see, lost = () => {}) {
  let source;
  let timer;
  let ended = false;
  let newest = null;
  const show = () => {
    const value = JSON.parse(newest);
    newest = null;
    if (value !== null && !ended) see(value);
  };
  const dial = () => {
    source = new EventSource(path);
    source.onmessage = (event) => {
      badge(false);
      if (newest === null) setTimeout(show, SHOWN_EVERY);
      newest = event.data;
    };
    source.onerror = () => {
      badge(true);
      if (source.readyState === EventSource.CLOSED && !ended) {
        timer = setTimeout(async () => {
          if (!ended && !(await lost())) dial();
        }, 1000);
      }
    };
  };
  dial();
  return () => {
    ended = true;
    clearTimeout(timer);
    source.close();
  };
}

function badge(is_lost) {
  document.getElementById("link").hidden = !is_lost;
}
