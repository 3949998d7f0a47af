// The page of a person of a tournament: whoever sits down at Nousu's table promises a share of its shuffles.
import { promise } from "./share.js";

promise();
addEventListener("pageshow", promise);
document.addEventListener("hall:renewed", () => promise());
