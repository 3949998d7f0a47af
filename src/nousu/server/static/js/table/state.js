// State of the page: the view of the table, the words it is drawn with, and what this person is about to do.
export const state = {
  view: null, // what this viewer may know, as the server sent it last
  words: null, // sentences and names of cards in the viewer's language
  lifted: "", // the card that a second tap plays
  chosen: new Set(), // the cards of a choice of several
  asked: "", // the action or request that is asked once more before it is sent
  way: "", // the action that has been sent and not yet answered
  refused: "", // why a form of this page was refused
  topples: false, // the score has just fallen before the viewer's eyes
  said: null, // what somebody has just said: seat and words
  tips: null, // what draws the tips of the first table, as long as there are any
  lost: [], // the people whose connection is gone
};

// The stable part of the table's address: a refused form leaves a longer one.
export const here = location.pathname.split("/").slice(0, 3).join("/");

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// A number with a minus sign instead of a hyphen.
export const numeral = (number) => String(number).replace("-", "−");

export const word = (name, values) => (values ? fill(state.words[name], values) : state.words[name]);
