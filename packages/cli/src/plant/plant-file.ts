import { isNode, LineCounter, parseDocument } from 'yaml';
import { type Entry, type Place, type Section, sections } from './kind.ts';
import { schemaFaults } from './schema-faults.ts';

/** A fault of a plant file, and the line that has it. */
export type LocatedFault = { readonly line: number; readonly message: string };

export type PlantFile = {
  /** As messages name it. */
  readonly name: string;
  /** Sections that the file does not have are absent. */
  readonly entries: Readonly<Partial<Record<Section, readonly Entry[]>>>;
  /** The line of a place, or of the nearest place around it. */
  lineOf(section: Section, index: number, place?: Place): number;
};

/** Reads a plant file, or returns its faults: of the YAML, else of the sections and entries. */
export function readPlantFile(name: string, text: string): PlantFile | LocatedFault[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  if (document.errors.length > 0)
    return document.errors.map(({ pos: [offset], message }) => ({
      line: lineAt(offset),
      message: `the YAML is wrong: ${message}. Check quotes, indentation and colons.`,
    }));
  const lineOf = (place: Place) => {
    for (let depth = place.length; depth > 0; depth--) {
      const node = document.getIn(place.slice(0, depth), true);
      if (isNode(node) && node.range) return lineAt(node.range[0]);
    }
    return 1;
  };
  const content: unknown = document.toJS() ?? {};
  const faults = schemaFaults(content).map(({ place, message }) => ({ line: lineOf(place), message }));
  if (faults.length > 0) return faults;
  return {
    name,
    entries: content as PlantFile['entries'],
    lineOf: (section, index, place = []) => lineOf([section, index, ...place]),
  };
}

/** The sections that a file has. */
export function sectionsOf({ entries }: PlantFile): Section[] {
  return sections.filter((section) => entries[section] !== undefined);
}
