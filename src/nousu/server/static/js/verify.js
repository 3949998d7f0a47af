// Computes every shuffle of a match again from its secret and the shares of its people, and compares: also with
// what this device saw before it opened its own share.
import { sha256, toHex } from "./sha256.js";
import { seen } from "./shuffle_share.js";

function hmac(key, bytes) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const joined = (pad, rest) => new Uint8Array([...block.map((x) => x ^ pad), ...rest]);
  return sha256(joined(0x5c, sha256(joined(0x36, bytes))));
}

const fromHex = (text) => Uint8Array.from(text.match(/../g), (two) => parseInt(two, 16));

const utf8 = (text) => new TextEncoder().encode(text);

function* words(secret, { version, given }, shuffle) {
  const lines = given.filter((one) => one.shuffle <= shuffle).map((one) => one.text);
  const key = hmac(secret, utf8([`nousu shuffle ${version}`, ...lines].join("\n")));
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
  for (const { pledge, share, name } of proof.shares) {
    if (share) tell(list.dataset.share.replace("{name}", name), toHex(sha256(utf8(share))) === pledge);
    else tell(list.dataset.unopened.replace("{name}", name), true);
  }
  const before = seen(proof.table);
  if (before) {
    const same = before.commitment === proof.commitment
      && proof.shares.length === Object.keys(before.pledges).length
      && proof.shares.every((one) => before.pledges[one.place] === one.pledge)
      && proof.shares.some((one) => one.share === before.share);
    tell(list.dataset.seen, same);
  }
  const drawn = shuffled(proof.deck, words(secret, proof, 0)).slice(0, proof.drawn.length);
  tell(list.dataset.draw, drawn.join() === proof.drawn.join());
  proof.deals.forEach((deal, index) => {
    const hands = dealt(shuffled(deal.deck, words(secret, proof, index + 1)), deal);
    const good = Object.entries(deal.known).every(([seat, cards]) => cards.every((card) => hands[seat].includes(card)));
    tell(list.dataset.hand.replace("{number}", deal.hand), good);
  });
}
