// The connection on which a tournament says that something has happened. A page follows it with the discipline of
// the table: it connects again after any end, and after silence; it asks once for what it missed; and it says when
// it is behind.
const SHORTEST = 500;
const LONGEST = 15_000;
const SOON = 1_500;
const BEATS = 2;
const UNKNOWN = 8_000;
const FIRST = 2_500;
// A browser first tries the connections it has open, six at most. Where the network has forgotten them, questions
// that are given up after so long make it close them.
const OPEN = 6;
const GIVEN_UP = 1_500;

/*
 * address: of the events; state: the name of the state that the page shows (empty: not known);
 * renew: asks for the page anew, true once it has it; behind: called with whether the page may be behind;
 * spread: milliseconds over which many pages spread their questions, more where the server says so; 0: ask at once.
 */
export function follow({ address, state, renew, behind, spread }) {
  let source = null;
  let shown = state;
  let newest = state;
  let fails = 0;
  let longestSilence = UNKNOWN;
  let apart = 0;
  let asking = false;
  const timers = { connect: 0, ask: 0, silence: 0, say: 0 };

  const after = (name, wait, work) => {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(() => {
      timers[name] = 0;
      work();
    }, wait);
  };
  const drop = (name) => {
    clearTimeout(timers[name]);
    timers[name] = 0;
  };
  const later = () => Math.min(LONGEST, SHORTEST * 2 ** fails) * (0.5 + Math.random() / 2);

  function settle() {
    if (source?.readyState === EventSource.OPEN && shown === newest) {
      drop("say");
      fails = 0;
      behind(false);
    } else if (!timers.say) {
      after("say", SOON, () => behind(true));
    }
  }

  function heard() {
    after("silence", longestSilence, silent);
  }

  async function silent() {
    source?.close();
    source = null;
    if (document.hidden) return;
    behind(true);
    const question = () => fetch(address, { method: "HEAD", signal: AbortSignal.timeout(GIVEN_UP) });
    await Promise.allSettled(Array.from({ length: OPEN }, question));
    if (source || timers.connect) return;
    if (fails) return lost();
    fails = 1;
    connect();
  }

  function lost() {
    source?.close();
    source = null;
    drop("silence");
    if (document.hidden) return;
    fails += 1;
    settle();
    if (!timers.connect) after("connect", later(), connect);
    // The connection alone may be refused: the page itself still tells what is new.
    if (fails > 1) ask(later());
  }

  function connect() {
    drop("connect");
    source?.close();
    const own = new EventSource(address);
    let arrived = false;
    source = own;
    after("silence", Math.min(UNKNOWN, FIRST * (1 + fails / 4)), silent);
    own.addEventListener("error", () => { if (own === source) lost(); });
    own.addEventListener("beat", ({ data }) => {
      if (own !== source) return;
      const [beat, over] = data.split(" ").map(Number);
      longestSilence = beat * BEATS || UNKNOWN;
      apart = over || 0;
      heard();
    });
    own.addEventListener("message", ({ data }) => {
      if (own !== source) return;
      heard();
      const isFirst = !arrived;
      arrived = true;
      newest = data;
      if (!shown) shown = newest;
      if (isFirst) drop("ask"); // what waited for this connection is asked at once
      if (shown !== newest) ask(Math.random() * (spread && Math.max(spread, apart)));
      settle();
    });
  }

  function ask(wait) {
    if (!timers.ask) after("ask", wait, question);
  }

  async function question() {
    if (asking) return;
    asking = true;
    const wanted = newest;
    const has = await renew();
    asking = false;
    if (has) shown = wanted;
    else fails += 1;
    if (!document.hidden && (!has || shown !== newest)) ask(has ? 0 : later());
    settle();
  }

  function now() {
    if (document.hidden) return;
    fails = 0;
    drop("ask");
    connect();
  }

  // A page in the background lets its connection go: a browser has only six for one server.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) now();
    else {
      source?.close();
      source = null;
      Object.keys(timers).forEach(drop);
    }
  });
  addEventListener("online", now);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) now(); });
  if (!document.hidden) connect();
}
