// The page that hands a seat over: its link can be sent.
import { shares } from "./share_link.js";

shares(document.getElementById("share"), () => document.getElementById("address").href);
