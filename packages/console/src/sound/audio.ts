let context: AudioContext | undefined;

/** The one audio context of the page; undefined where the browser has none. */
export function audioContext(): AudioContext | undefined {
  if (context === undefined && typeof AudioContext !== 'undefined') context = new AudioContext();
  return context;
}
