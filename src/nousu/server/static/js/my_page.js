// The page of a person of a tournament: to sit down at Nousu's table is to promise a share of its shuffles.
import { promise } from "./shuffle_share.js";

promise();
addEventListener("pageshow", promise);
document.addEventListener("tournament:renewed", () => promise());
