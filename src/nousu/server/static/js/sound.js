// Two short sounds, made here: nothing is loaded. They are heard once the person has touched the page.
let audio = null;

function tone(from, to, length, loud) {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  const [now, voice, gain] = [audio.currentTime, audio.createOscillator(), audio.createGain()];
  voice.type = "triangle";
  voice.frequency.setValueAtTime(from, now);
  voice.frequency.exponentialRampToValueAtTime(to, now + length);
  gain.gain.setValueAtTime(loud, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + length);
  voice.connect(gain).connect(audio.destination);
  voice.start(now);
  voice.stop(now + length);
}

export const card = () => tone(220, 90, 0.07, 0.12);
export const turn = () => { tone(520, 530, 0.14, 0.1); setTimeout(() => tone(690, 700, 0.18, 0.1), 110); };
// A gong: partials of a struck plate, each fading by itself.
export const gong = () => [[98, 4, 0.3], [147, 3.2, 0.2], [212, 2.6, 0.14], [311, 1.8, 0.1], [437, 1.1, 0.07]].forEach(([pitch, length, loud]) => tone(pitch, pitch * 0.985, length, loud));
