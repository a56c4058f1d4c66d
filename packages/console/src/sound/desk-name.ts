import { randomKey } from '../services/random-key.ts';

const key = 'tocsin-desk';
const longest = 64;

/** The name of this workstation in the record of silenced horns. People may change it; before that it is a random one. */
export function deskName(): string {
  const known = localStorage.getItem(key);
  if (known) return known;
  const name = `Desk ${randomKey().slice(0, 4).toUpperCase()}`;
  localStorage.setItem(key, name);
  return name;
}

export function setDeskName(name: string): void {
  const text = name.trim().slice(0, longest);
  if (text !== '') localStorage.setItem(key, text);
}
