// This person's share of the shuffles: made here, promised by its fingerprint in the form that takes a place,
// opened when everybody has promised theirs. What was promised by whom is kept for the page that checks the deals.
import { sha256, toHex } from "./sha256.js";

const CLOSED = "nousu closed shares"; // pledge → share
const SEEN = "nousu seen promises"; // table → commitment, pledges by place, own share
const KEPT = 40;

function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
}

function keep(name, key, value) {
  const entries = Object.entries({ ...kept(name), [key]: value }).filter(([, one]) => one !== undefined);
  try {
    localStorage.setItem(name, JSON.stringify(Object.fromEntries(entries.slice(-KEPT))));
    return true;
  } catch {
    return false; // a browser that keeps nothing promises nothing
  }
}

function promised() {
  const share = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const pledge = toHex(sha256(new TextEncoder().encode(share)));
  return keep(CLOSED, pledge, share) ? pledge : "";
}

// Every form that takes a place carries a promise; a page that comes back from the browser's memory a new one.
let ready = "";
export function promise(event) {
  const fields = document.querySelectorAll("input[data-pledge]");
  if (event?.persisted) ready = "";
  if (fields.length) ready ||= promised();
  for (const field of fields) field.value = ready;
}

// The share to be sent now, if this device has promised one; "" otherwise. The list of promises is noted first, so
// that a later change of it is found out.
export function opened(table, { commitment, pledges }) {
  const before = kept(SEEN)[table];
  const closed = kept(CLOSED);
  const pledge = Object.values(pledges).find((one) => closed[one]) ?? "";
  if (before) return before.share; // asked again, after a cut line: the same answer, and the first list counts
  if (!pledge || !keep(SEEN, table, { commitment, pledges, share: closed[pledge] })) return "";
  keep(CLOSED, pledge, undefined);
  return kept(SEEN)[table].share;
}

export const seen = (table) => kept(SEEN)[table];
