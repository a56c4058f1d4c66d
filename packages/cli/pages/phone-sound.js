/** Two tones, as telephones of the country ring: a second and a half, then a pause. */
const tones = [440, 480];
const ringSeconds = 1.5;
const everyMs = 4_000;

/** Plays the tones once, and returns them. */
function playTones(audio) {
  const gain = audio.createGain();
  const end = audio.currentTime + ringSeconds;
  gain.gain.setValueAtTime(0, audio.currentTime);
  gain.gain.linearRampToValueAtTime(0.12, audio.currentTime + 0.05);
  gain.gain.setValueAtTime(0.12, end);
  gain.gain.linearRampToValueAtTime(0, end + 0.1);
  gain.connect(audio.destination);
  return tones.map((hertz) => {
    const tone = audio.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(gain);
    tone.start();
    tone.stop(end + 0.1);
    return tone;
  });
}

/** The bell and the voice of the page. Browsers are silent until somebody presses a button. */
export function createRing() {
  let audio;
  let isArmed = false;
  let timer;
  let tellArmed = () => {};
  const playing = new Set();

  const play = () => {
    if (!isArmed || !audio) return;
    for (const tone of playTones(audio)) {
      playing.add(tone);
      tone.addEventListener('ended', () => playing.delete(tone));
    }
  };
  const silence = () => {
    clearInterval(timer);
    timer = undefined;
    for (const tone of playing) tone.stop();
  };
  const setArmed = (yes) => {
    isArmed = yes;
    if (yes) {
      audio ??= new AudioContext();
      void audio.resume();
    } else {
      silence();
      globalThis.speechSynthesis?.cancel();
    }
    tellArmed(yes);
  };

  return {
    arm: () => setArmed(true),
    toggle: () => setArmed(!isArmed),
    onArmed: (listener) => {
      tellArmed = listener;
    },
    ring: (isRinging) => {
      if (!isRinging) return silence();
      if (timer !== undefined) return undefined;
      play();
      timer = setInterval(play, everyMs);
      return undefined;
    },
    /** Says a text; undefined ends what is being said. A browser without a voice shows the text only. */
    speak: (text, language) => {
      const speech = globalThis.speechSynthesis;
      speech?.cancel();
      if (!speech || text === undefined || !isArmed) return;
      const words = new SpeechSynthesisUtterance(text);
      words.lang = language || 'en';
      words.rate = 0.95;
      speech.speak(words);
    },
  };
}
