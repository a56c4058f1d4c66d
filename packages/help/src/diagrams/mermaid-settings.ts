import type { DiagramTheme } from './diagram.ts';

/** The colours of the site, by theme: its background, text, lines, boxes, and the areas that hold boxes. */
const colours: Readonly<Record<DiagramTheme, Record<'page' | 'text' | 'line' | 'box' | 'area', string>>> = {
  light: { page: '#ffffff', text: '#17181c', line: '#545861', box: '#e6ebfb', area: '#f5f6f8' },
  dark: { page: '#17181c', text: '#eceef2', line: '#a3a6b0', box: '#2a3350', area: '#23262f' },
};

/** Arial has the same widths as fonts of other names on most systems, so that texts fit their boxes everywhere. */
const fontFamily = "Arial, 'Liberation Sans', Helvetica, sans-serif";

/** The settings of Mermaid for a theme. Labels are texts of SVG, because pictures with HTML in them are not shown everywhere. */
export function settingsOf(theme: DiagramTheme): object {
  const { page, text, line, box, area } = colours[theme];
  return {
    startOnLoad: false,
    deterministicIds: true,
    // Some shapes are drawn by a library for sketches, which varies its lines otherwise.
    handDrawnSeed: 1,
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: false, wrappingWidth: 400 },
    sequence: { useMaxWidth: false, mirrorActors: false, actorMargin: 12, width: 130 },
    state: { useMaxWidth: false },
    fontFamily,
    theme: 'base',
    themeVariables: {
      darkMode: theme === 'dark',
      fontFamily,
      background: page,
      primaryColor: box,
      primaryTextColor: text,
      primaryBorderColor: line,
      secondaryColor: area,
      tertiaryColor: area,
      textColor: text,
      lineColor: line,
      clusterBkg: area,
      clusterBorder: line,
      edgeLabelBackground: page,
      labelBackgroundColor: page,
      transitionColor: line,
      transitionLabelColor: text,
      specialStateColor: line,
      actorLineColor: line,
      signalColor: line,
      signalTextColor: text,
      sequenceNumberColor: page,
      noteBkgColor: area,
      noteTextColor: text,
      noteBorderColor: line,
    },
  };
}
