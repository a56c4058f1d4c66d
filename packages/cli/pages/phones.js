import { createRing } from './phone-sound.js';

const outcomes = {
  taken: 'Alarm taken',
  confirmed: 'Call confirmed',
  hungUp: 'Hung up, not taken',
  noAnswer: 'Not answered',
  refused: 'Refused',
  cancelled: 'No longer needed',
};
const keypad = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];
const codeLength = 6;
const waitAfterCodeMs = 2_000;

const board = document.querySelector('.dp-phones');
const status = document.querySelector('.dp-state');
const ring = createRing();
/** The keys that were typed and not sent, by number of the telephone. */
const typed = new Map();
const timers = new Map();
let phones = [];

/** An element with its classes, attributes and content. */
function make(name, { text, ...attributes } = {}, ...children) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...(text === undefined ? children : [text]));
  return element;
}

const send = (number, action, body = '') =>
  fetch(`/phones/${number}/${action}`, { method: 'POST', body }).catch(() => undefined);

/** Its label begins with its text, and ends with the name of the person. */
function button(text, { kind = '', of = '' }, onClick) {
  const label = of === '' ? text : `${text}, ${of}`;
  const element = make('button', { type: 'button', class: `btn ${kind}`, 'aria-label': label, text });
  element.addEventListener('click', onClick);
  return element;
}

function ringing({ number, name }) {
  return [
    make('p', { class: 'dp-now', text: 'Tocsin is calling' }),
    make(
      'div',
      { class: 'dp-buttons' },
      button('Pick up', { kind: 'primary', of: name }, () => {
        ring.arm();
        void send(number, 'answer');
      }),
      button('Refuse', { of: name }, () => send(number, 'refuse')),
    ),
  ];
}

function type(number, key) {
  clearTimeout(timers.get(number));
  const digits = typed.get(number) ?? '';
  const all = key === '#' ? digits : `${digits}${key}`;
  if (key === '#') return press(number, all);
  typed.set(number, all);
  if (all.length >= codeLength)
    timers.set(
      number,
      setTimeout(() => press(number, all), waitAfterCodeMs),
    );
  return draw();
}

function press(number, digits) {
  typed.delete(number);
  if (digits !== '') void send(number, 'keys', digits);
  draw();
}

function talking({ number, name, call }) {
  const said = make(
    'div',
    { class: 'dp-text' },
    make('p', { text: call.text }),
    make('p', { text: call.prompt }),
  );
  if (call.isSimulated || call.digits !== '') {
    const now = call.digits === '' ? `${name} listens` : `Pressed ${call.digits}`;
    return [make('p', { class: 'dp-now', text: now }), said];
  }
  const { code } = call;
  const take = () => press(number, code);
  const confirm = () => press(number, `${code}2`);
  return [
    make('p', { class: 'dp-now', text: 'Listen' }),
    said,
    make(
      'div',
      { class: 'dp-buttons' },
      button(`Take the alarm: press ${code}`, { kind: 'primary wide', of: name }, take),
      button('Only confirm', { of: name }, confirm),
      button('Hang up', { of: name }, () => send(number, 'hangup')),
    ),
    make('p', { class: 'dp-digits', text: typed.get(number) ?? '' }),
    make(
      'div',
      { class: 'dp-keys', role: 'group', 'aria-label': `Keys of ${name}` },
      ...keypad.map((key) => button(key, {}, () => type(number, key))),
    ),
  ];
}

function past({ past: calls }) {
  const rows = calls.map(({ at, outcome, text }) =>
    make(
      'li',
      {},
      make('time', { text: new Date(at).toLocaleTimeString('en-GB') }),
      make('b', { text: outcomes[outcome] }),
      make('span', { text, title: text }),
    ),
  );
  return rows.length === 0 ? [] : [make('ol', { class: 'dp-past' }, ...rows)];
}

function itself({ number, name, answersItself }) {
  const box = make('input', { type: 'checkbox', 'data-key': `itself ${number}` });
  box.checked = answersItself;
  box.addEventListener('change', () => send(number, 'itself', box.checked ? 'on' : 'off'));
  return make('label', { class: 'dp-itself' }, box, `${name.split(' ')[0]} answers without you`);
}

function phoneCard(phone) {
  const { number, name, duty, call } = phone;
  const state = call ? (call.status === 'ringing' ? 'is-ringing' : 'is-talking') : '';
  const spoken = number.replace(/^\+33(\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '+33 $1 $2 $3 $4 $5');
  const idle = [make('p', { class: 'dp-now dp-idle', text: 'No call' })];
  const now = call ? (call.status === 'ringing' ? ringing(phone) : talking(phone)) : idle;
  return make(
    'section',
    { class: `dp-phone ${state}`, 'data-number': number, 'aria-label': `Telephone of ${name}` },
    make(
      'div',
      { class: 'dp-who' },
      make('h2', { text: name }),
      make('small', { text: `${duty} · ${spoken}` }),
    ),
    ...now,
    make('div', { class: 'dp-rest' }, ...past(phone), itself(phone)),
  );
}

/** The place of the focus survives: a telephone that rings must not take it from the one that is being answered. */
function draw() {
  const before = document.activeElement;
  const label = before?.getAttribute('aria-label') ?? before?.getAttribute('data-key');
  const around = before?.closest('[data-number]')?.getAttribute('data-number');
  board.replaceChildren(...phones.map(phoneCard));
  const same = [...board.querySelectorAll(`[data-number="${around}"] :is(button, input)`)].find(
    (element) => (element.getAttribute('aria-label') ?? element.getAttribute('data-key')) === label,
  );
  same?.focus();
}

/** Says the message once, when the visitor has picked up. */
let speaking;
function speak() {
  const call = phones
    .map((phone) => phone.call)
    .find((one) => one?.status === 'answered' && !one.isSimulated);
  const isSaid = call?.digits === '' ? call.id : undefined;
  if (isSaid === speaking) return;
  speaking = isSaid;
  ring.speak(isSaid === undefined ? undefined : `${call.text} ${call.prompt}`, call?.language);
}

function tell() {
  const names = phones.filter(({ call }) => call?.status === 'ringing').map(({ name }) => name);
  const text = names.length === 0 ? 'No telephone rings.' : `The telephone of ${names.join(' and ')} rings.`;
  if (status.textContent !== text) status.textContent = text;
  document.title = `${names.length === 0 ? '' : `☎ ${names.join(', ')} · `}Telephones · Tocsin demo`;
  ring.ring(names.length > 0);
}

const events = new EventSource('/events');
events.addEventListener('message', ({ data }) => {
  phones = JSON.parse(data);
  draw();
  tell();
  speak();
});
events.addEventListener('error', () => {
  status.textContent = 'The demo has ended, or does not answer.';
  ring.ring(false);
});

const soundButton = document.querySelector('[data-do=sound]');
ring.onArmed((isArmed) => {
  soundButton.setAttribute('aria-pressed', String(isArmed));
  soundButton.textContent = isArmed ? 'Sound is on' : 'Turn the sound on';
});
soundButton.addEventListener('click', () => ring.toggle());

const themeButton = document.querySelector('[data-do=theme]');
const paint = (theme) => {
  document.documentElement.dataset.theme = theme;
  themeButton.textContent = theme === 'dark' ? 'Light' : 'Dark';
};
const wish = matchMedia('(prefers-color-scheme: dark)');
paint(localStorage.getItem('tocsin-theme') ?? (wish.matches ? 'dark' : 'light'));
themeButton.addEventListener('click', () => {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem('tocsin-theme', theme);
  paint(theme);
});
