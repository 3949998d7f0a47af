// Computes every shuffle of a match again from its secret and the shares of its people, and compares.
// SHA-256 is written out here because browsers lend theirs only to pages served over https.

const rotate = (x, n) => (x >>> n) | (x << (32 - n));
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const K = primes.map((p) => fraction(Math.cbrt(p)));
const START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));

function sha256(bytes) {
  const length = ((bytes.length + 8) >> 6) * 64 + 64;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, (bytes.length * 8) >>> 0);
  const state = [...START];
  const w = new Int32Array(64);
  for (let at = 0; at < length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15];
      const b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)) + (rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const t = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const s = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t) | 0, c, b, a, (t + s) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { state[i] = (state[i] + x) | 0; });
  }
  const out = new Uint8Array(32);
  state.forEach((x, i) => new DataView(out.buffer).setInt32(4 * i, x));
  return out;
}

function hmac(key, bytes) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const joined = (pad, rest) => new Uint8Array([...block.map((x) => x ^ pad), ...rest]);
  return sha256(joined(0x5c, sha256(joined(0x36, bytes))));
}

const fromHex = (text) => Uint8Array.from(text.match(/../g), (two) => parseInt(two, 16));
const toHex = (bytes) => Array.from(bytes, (x) => x.toString(16).padStart(2, "0")).join("");

function* words(secret, chances, shuffle) {
  const given = chances.filter((one) => one.shuffle <= shuffle).map((one) => one.text);
  const key = hmac(secret, new TextEncoder().encode(["nousu shuffle 1", ...given].join("\n")));
  for (let i = 0; ; i++) {
    const at = new Uint8Array(8);
    new DataView(at.buffer).setUint32(0, shuffle);
    new DataView(at.buffer).setUint32(4, i);
    const block = new DataView(hmac(key, at).buffer);
    for (let n = 0; n < 32; n += 4) yield block.getUint32(n);
  }
}

function shuffled(deck, numbers) {
  const pack = [...deck];
  const below = (bound) => {
    const fair = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const word = numbers.next().value;
      if (word < fair) return word % bound;
    }
  };
  for (let i = pack.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [pack[i], pack[j]] = [pack[j], pack[i]];
  }
  return pack;
}

function dealt(pack, { sizes, start, batch }) {
  const hands = sizes.map(() => []);
  let [at, seat] = [0, start];
  while (hands.some((hand, i) => hand.length < sizes[i])) {
    const take = Math.min(batch, sizes[seat] - hands[seat].length);
    hands[seat].push(...pack.slice(at, at + take));
    at += take;
    seat = (seat + 1) % sizes.length;
  }
  return hands;
}

const list = document.getElementById("proof");
if (list) {
  const proof = JSON.parse(list.dataset.proof);
  const secret = fromHex(proof.secret);
  const tell = (label, good) => {
    const row = document.createElement("li");
    row.dataset.good = good;
    for (const text of [label, good ? list.dataset.good : list.dataset.bad]) row.append(Object.assign(document.createElement("span"), { textContent: text }));
    list.append(row);
  };
  tell(list.dataset.secret, toHex(sha256(secret)) === proof.commitment);
  const drawn = shuffled(proof.deck, words(secret, proof.chances, 0)).slice(0, proof.drawn.length);
  tell(list.dataset.draw, drawn.join() === proof.drawn.join());
  proof.deals.forEach((deal, index) => {
    const hands = dealt(shuffled(deal.deck, words(secret, proof.chances, index + 1)), deal);
    const good = Object.entries(deal.known).every(([seat, cards]) => cards.every((card) => hands[seat].includes(card)));
    tell(list.dataset.hand.replace("{number}", deal.hand), good);
  });
}
