// The page of a person of a tournament: whoever sits down at Nousu's table promises a share of its shuffles.
import { promise } from "./shuffle_share.js";

promise();
addEventListener("pageshow", promise);
document.addEventListener("tournament:renewed", () => promise());
