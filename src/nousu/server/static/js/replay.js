// The replay page: the address carries the moment, and can be sent.
import { address } from "./diagram.js";
import { shares } from "./share_link.js";

const form = document.getElementById("play-on");
document.addEventListener("moment", ({ detail }) => {
  history.replaceState(null, "", address());
  if (form) [form.at.value, form.eyes.value] = [detail.at, detail.eyes];
});

shares(document.getElementById("share"), address);
