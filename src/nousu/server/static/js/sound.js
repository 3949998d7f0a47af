// Sounds, made here: nothing is loaded. They are heard once the person has touched the page, and never above −14 dB.
const LOUD = 0.2;
let audio = null;

function context() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  return audio;
}

// A gain that rises at once, or softly, and fades within a length.
function fade(at, length, loud, rise = 0.002) {
  const gain = context().createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(audio.destination);
  return gain;
}

function tone(type, from, to, length, loud, wait = 0) {
  const at = context().currentTime + wait;
  const voice = audio.createOscillator();
  voice.type = type;
  voice.frequency.setValueAtTime(from, at);
  voice.frequency.exponentialRampToValueAtTime(to, at + length);
  voice.connect(fade(at, length, loud));
  voice.start(at);
  voice.stop(at + length);
}

function noise(kind, from, to, length, loud, { wait = 0, rise = 0.002, sharp = 0.8 } = {}) {
  const at = context().currentTime + wait;
  const source = audio.createBufferSource();
  source.buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  source.buffer.getChannelData(0).forEach((_, n, samples) => { samples[n] = 2 * Math.random() - 1; });
  const filter = audio.createBiquadFilter();
  filter.type = kind;
  filter.Q.value = sharp;
  filter.frequency.setValueAtTime(from, at);
  filter.frequency.exponentialRampToValueAtTime(to, at + length);
  source.connect(filter).connect(fade(at, length, loud, rise));
  source.start(at);
}

export function card() {
  const pitch = 1 + 0.12 * (Math.random() - 0.5);
  noise("bandpass", 1800 * pitch, 1800 * pitch, 0.045, LOUD);
  tone("sine", 140 * pitch, 140 * pitch, 0.03, LOUD * 0.6);
}

export function trick() {
  noise("bandpass", 900, 400, 0.18, LOUD * 0.7, { rise: 0.08 });
  tone("sine", 95, 60, 0.09, LOUD, 0.16);
}

export function turn() {
  tone("triangle", 660, 660, 0.06, LOUD * 0.7);
  tone("triangle", 880, 880, 0.06, LOUD * 0.7, 0.09);
}

export function topple() {
  noise("lowpass", 1200, 180, 0.9, LOUD, { wait: 0.25, rise: 0.3 });
  tone("sine", 55, 55, 0.25, LOUD, 1.15);
}

export const summit = () => [392, 494, 587].forEach((pitch, at) => tone("sine", pitch, pitch, 0.9, LOUD * 0.6, at * 0.12));

// A gong: partials of a struck plate, each fading by itself.
export const gong = () => [[98, 4, 0.3], [147, 3.2, 0.2], [212, 2.6, 0.14], [311, 1.8, 0.1], [437, 1.1, 0.07]].forEach(([pitch, length, loud]) => tone("triangle", pitch, pitch * 0.985, length, loud));
