#!/usr/bin/env node
// A player at the live line of a table, in fifty lines: does the first thing it may, and says what it hears.
//   node live_client.js http://127.0.0.1:8000 TABLE TOKEN
// The token is that of POST /api/v1/session, and its person sits at the table. Needs Node 22.

// The texts of the actions that the view offers now.
function offers(view) {
  const buttons = [...(view.bids ?? []), ...(view.acts ?? []), ...(view.ask?.presses ?? [])];
  const found = [...buttons, ...(view.hand ?? []).filter((card) => card.act)].map(({ act }) => act);
  for (const [act] of view.more?.choices ?? []) found.push(act);
  if (view.many) {
    const chosen = view.hand.filter((card) => card.choose).slice(0, view.many.many).map(({ card }) => card);
    found.push(view.many.act.replace("{}", chosen.join(" ")));
  }
  return found;
}

function play(server, table, token) {
  let view = {};
  let acted = -1;
  const headers = { Authorization: `Bearer ${token}` };
  const line = new WebSocket(`${server.replace("http", "ws")}/t/${table}/live`, { headers });
  const send = (message) => line.send(JSON.stringify(message));
  line.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.after !== undefined && message.after !== view.seq) return send({ whole: true });
    view = message.view ?? { ...view, ...message.set };
    if (message.say) console.log(message.say);
    if (view.outcome?.match) return line.close();
    if ((view.seq ?? -1) <= acted || message.error) return undefined;
    acted = view.seq;
    const [act] = offers(view);
    const key = crypto.randomUUID();
    if (view.outcome?.waits) send({ next: true, key });
    else if (act) send({ act, seq: view.seq, key });
    return undefined;
  });
}

play(...process.argv.slice(2));
