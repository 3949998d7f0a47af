// The connection to the server: it comes back by itself, and both ends notice within seconds when the other is gone.
const BEAT = "b"; // heartbeat: we are here; are you?
const HERE = "h"; // we are here, and have just heard from you: no answer is due
const EVERY = 2950; // ms between two heartbeats, less what the timer may be early by
const ON_TURN = 950; // the same while the others wait for this player
const SILENCE = 1450; // ms after a beat without a word: the connection stands, but nobody answers
const GIVE_UP = 6000; // ms of silence after which another connection is tried

export class Connection {
  #address;
  #socket = null;
  #timer = 0;
  #tries = 0;
  #beaten = 0; // when the beat was sent that nobody has answered yet; 0: none
  #sent = 0; // when a beat was sent last
  #received = 0; // when anything else than the answer to a beat came last

  // `on` is told: opened(), received(message), silent(whether nobody answers); and asked: sits(), turn().
  constructor(address, on) {
    this.#address = address;
    this.on = on;
    addEventListener("online", () => this.#renew());
    addEventListener("pageshow", (event) => { if (event.persisted) this.#renew(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#probe(); });
    setInterval(() => this.#watch(), 500);
    this.#connect();
  }

  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(message) {
    if (this.open) this.#socket.send(JSON.stringify(message));
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#beaten = 0;
    this.#sent = -EVERY; // the first beat follows at once: a page that has sent none is never missed
    socket.addEventListener("open", () => {
      if (socket !== this.#socket) return;
      this.#tries = 0;
      this.#answered();
      this.on.opened();
    });
    socket.addEventListener("message", ({ data }) => {
      if (socket !== this.#socket) return;
      this.#answered();
      if (data === BEAT) return;
      this.#received = performance.now();
      this.on.received(JSON.parse(data));
    });
    socket.addEventListener("close", () => { if (socket === this.#socket) this.#retry(); });
  }

  #retry() {
    this.#socket = null;
    this.on.silent(this.#tries >= 1);
    const wait = Math.min(10_000, 250 * 2 ** this.#tries++) * (0.7 + 0.6 * Math.random());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  // The network is there again, or the page has come back from the browser's memory: the old connection is dead.
  #renew() {
    const old = this.#socket;
    this.#tries = 0;
    this.#connect();
    old?.close();
  }

  // The page is looked at again: is the connection alive that nobody watched meanwhile?
  #probe() {
    if (!this.open) {
      if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#renew();
      return;
    }
    this.#sent = performance.now();
    this.#beaten ||= this.#sent - (GIVE_UP - SILENCE);
    this.#socket.send(BEAT);
  }

  #answered() {
    this.#beaten = 0;
    this.on.silent(false);
  }

  #watch() {
    const now = performance.now();
    if (!this.open && !this.#beaten) {
      if (this.#socket) this.#beaten = now; // a server that does not even take the connection
      return;
    }
    if (!this.#beaten) this.#beat(now);
    else if (now - this.#beaten > GIVE_UP) {
      const old = this.#socket;
      this.#retry();
      old?.close();
    } else if (now - this.#beaten > SILENCE) this.on.silent(true);
  }

  #beat(now) {
    if (now - this.#sent < (this.on.turn() ? ON_TURN : EVERY)) return;
    if (this.#received <= this.#sent) this.#beaten = now;
    this.#sent = now;
    // The table does not wait for people who only watch: while they are sent views, they need not send a beat.
    if (this.#beaten || this.on.sits()) this.#socket.send(this.#beaten ? BEAT : HERE);
  }
}
