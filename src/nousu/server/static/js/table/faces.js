// Faces to choose; the choice holds at every table of this device.
import { speak } from "./actions.js";
import { face, html, initial } from "./parts.js";
import { state, word } from "./state.js";

const choose = (id) => () => {
  localStorage.setItem("nousu.face", id);
  speak({ face: id });
};

export const chooser = (own) => html`<fieldset class="faces"><legend class="small quiet">${word("face")}</legend>${
  ["", ...Object.keys(state.words.faces)].map((id) => html`<button type="button" class="face" aria-pressed=${String(own.face === id)}
    aria-label=${id ? state.words.faces[id] : word("face_letter")} @click=${choose(id)}>${id ? face(id) : initial(own.name)}</button>`)}</fieldset>`;
