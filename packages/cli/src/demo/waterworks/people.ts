/** A person of the simulated plant. The numbers are those that France keeps for films: nobody has them. */
export type Person = {
  readonly username: string;
  readonly name: string;
  readonly role: 'operator' | 'engineer' | 'viewer';
  /** What they do, for the page with the telephones. */
  readonly duty: string;
  /** Absent for people who are not called. */
  readonly number?: string;
};

/** The people, those with a telephone in the order in which the page shows them. */
export const people: readonly Person[] = [
  {
    username: 'anna',
    name: 'Anna Keller',
    role: 'operator',
    duty: 'Process on call',
    number: '+33639980001',
  },
  { username: 'ben', name: 'Ben Moreau', role: 'operator', duty: 'Process on call', number: '+33639980002' },
  {
    username: 'chloe',
    name: 'Chloé Dubois',
    role: 'engineer',
    duty: 'Electrical on call',
    number: '+33639980003',
  },
  { username: 'ines', name: 'Inès Caron', role: 'engineer', duty: 'Duty manager', number: '+33639980004' },
  { username: 'hugo', name: 'Hugo Perrin', role: 'operator', duty: 'Control room' },
  { username: 'lea', name: 'Lea Martin', role: 'viewer', duty: 'Laboratory' },
];

export type PersonWithPhone = Person & { readonly number: string };

export const withPhones = people.filter((person): person is PersonWithPhone => person.number !== undefined);

/** The operator in the control room: the simulation acknowledges in his name. */
export const operator = 'hugo';
