import { sounds } from "./settings";

/** A sound is a few short tones: frequency, start and length in seconds. */
type Tone = readonly [hertz: number, start: number, length: number];

const SOUNDS = {
  place: [
    [196, 0, 0.07],
    [98, 0.01, 0.09],
  ],
  turn: [
    [523, 0, 0.12],
    [784, 0.09, 0.18],
  ],
  capture: [
    [392, 0, 0.07],
    [262, 0.06, 0.08],
    [165, 0.13, 0.16],
  ],
  tick: [[880, 0, 0.03]],
  points: [
    [659, 0, 0.08],
    [880, 0.07, 0.12],
  ],
  genial: [
    [523, 0, 0.14],
    [659, 0.1, 0.14],
    [784, 0.2, 0.14],
    [1047, 0.3, 0.4],
  ],
  refuse: [[160, 0, 0.14]],
  end: [
    [392, 0, 0.2],
    [523, 0.16, 0.2],
    [659, 0.32, 0.45],
  ],
} satisfies Record<string, readonly Tone[]>;

export type Sound = keyof typeof SOUNDS;

let context: AudioContext | undefined;

/** Play a sound, unless sounds are off. Browsers allow it after the first touch only. */
export function sound(name: Sound): void {
  if (sounds.value === "off" || typeof AudioContext === "undefined") return;
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const [hertz, start, length] of SOUNDS[name]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, now + start);
    volume.gain.linearRampToValueAtTime(0.09, now + start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(now + start);
    tone.stop(now + start + length + 0.02);
  }
}
