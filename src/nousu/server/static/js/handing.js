// The page that hands a seat over: its link can be sent.
import { shares } from "./sharing.js";

shares(document.getElementById("share"), () => document.getElementById("address").href);
