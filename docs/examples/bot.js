#!/usr/bin/env node
// A player for nousu in forty lines: bids nolo and gets rid of high cards without winning. Try: nousu player-check "node bot.js"
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const rank = (card) => RANKS.indexOf(card.slice(1));

function choose(view) {
  const cards = view.legal
    .filter((action) => action.startsWith("play "))
    .map((action) => action.slice(5))
    .sort((one, two) => rank(one) - rank(two));
  if (cards.length === 0) {
    const low = view.rules.high_colour === "red" ? "SC" : "HD"; // a card that bids nolo in Tuppi
    const bids = view.legal.filter((action) => action.startsWith("seal ") && low.includes(action[5]));
    return [...bids, "low", "pass", "keep", "look", "hold", "no", ...view.legal].find((one) => view.legal.includes(one));
  }
  if (view.trick.length === 0) return "play " + cards[0]; // lead the lowest card
  const led = view.trick[0][1][0];
  const best = Math.max(...view.trick.filter(([, card]) => card[0] === led).map(([, card]) => rank(card)));
  const under = cards.filter((card) => card[0] !== led || rank(card) < best);
  return "play " + (under.length ? under[under.length - 1] : cards[0]);
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines.filter((one) => one.trim())) {
    const question = JSON.parse(line);
    console.log(JSON.stringify({ id: question.id, action: choose(question) }));
  }
});
