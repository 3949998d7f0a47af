// Friends: the clock of a new standing table is that of this device; a standing table's link is sent on.
import { shares } from "./share_link.js";

const zone = document.querySelector("[name=zone]");
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";

const share = document.getElementById("share");
if (share) shares(share, () => location.pathname);
