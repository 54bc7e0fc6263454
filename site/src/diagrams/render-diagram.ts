/** A position in pixels from the top left. */
export type Point = readonly [x: number, y: number]

/** A rectangle with a title and lines of text. */
export interface Box {
  readonly at: Point
  readonly size: Point
  readonly title: string
  readonly lines?: readonly string[]
  /** `frame` holds other boxes and has its title at the top left. @default 'plain' */
  readonly tone?: 'plain' | 'strong' | 'frame'
}

/** A line with a head, through all its points. */
export interface Arrow {
  readonly path: readonly Point[]
  readonly label?: string
  /** The middle of the label. @default the middle of the first segment, above it */
  readonly labelAt?: Point
  readonly isDashed?: boolean
}

/** A diagram of boxes and connections. */
export interface Diagram {
  readonly title: string
  /** Says what the picture shows, for readers who do not see it. */
  readonly description: string
  readonly size: Point
  readonly boxes: readonly Box[]
  readonly arrows: readonly Arrow[]
  /** Lines without a head, such as those of a sequence. */
  readonly lanes?: readonly (readonly [Point, Point])[]
}

/** Colors follow the `color-scheme` of the page that shows the picture. */
const style = `
text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-size: 13px; fill: #3c3d45; }
.title { font-size: 14px; font-weight: 600; fill: #1b1b1f; }
.plain { fill: #ffffff; stroke: #8e9099; }
.strong { fill: #e3f1ec; stroke: #1d5f4f; }
.frame { fill: #f6f6f7; stroke: #c2c2c4; }
.arrow { fill: none; stroke: #5b5d66; stroke-width: 1.5; }
.dashed { stroke-dasharray: 5 4; }
.lane { stroke: #c2c2c4; }
.head { fill: #5b5d66; }
.label { font-size: 12px; paint-order: stroke; stroke: #ffffff; stroke-width: 5px; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
text { fill: #c9cad2; }
.title { fill: #f2f2f5; }
.plain { fill: #202127; stroke: #7c7e88; }
.strong { fill: #17382f; stroke: #7fd1b9; }
.frame { fill: #161618; stroke: #3c3f44; }
.arrow { stroke: #a9abb5; }
.lane { stroke: #3c3f44; }
.head { fill: #a9abb5; }
.label { stroke: #1b1b1f; }
}
`.trim()

/** Returns a diagram as SVG. */
export const renderDiagram = (diagram: Diagram): string => {
  const [width, height] = diagram.size
  const text = (tag: string, content: string) => `<${tag}>${escapeXml(content)}</${tag}>`
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    text('title', diagram.title),
    text('desc', diagram.description),
    `<style>\n${style}\n</style>`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>',
    ...diagram.boxes.filter(({ tone }) => tone === 'frame').map(renderBox),
    ...(diagram.lanes ?? []).map(
      ([[x1, y1], [x2, y2]]) => `<line class="lane" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`,
    ),
    ...diagram.boxes.filter(({ tone }) => tone !== 'frame').map(renderBox),
    ...diagram.arrows.map(renderArrow),
    '</svg>',
  ].join('\n')}\n`
}

const lineHeight = 18

const renderBox = ({ at: [x, y], size: [width, height], title, lines = [], tone = 'plain' }: Box): string => {
  const rectangle = `<rect class="${tone}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`
  if (tone === 'frame') return `${rectangle}\n${textAt([x + 14, y + 24], title, 'title', 'start')}`
  const top = y + height / 2 - (lines.length * lineHeight) / 2 + 5
  return [
    rectangle,
    textAt([x + width / 2, top], title, 'title'),
    ...lines.map((line, index) => textAt([x + width / 2, top + (index + 1) * lineHeight], line)),
  ].join('\n')
}

const renderArrow = ({ path, label, labelAt, isDashed }: Arrow): string => {
  const points = path.map(([x, y]) => `${x} ${y}`).join('L')
  const line = `<path class="arrow${isDashed ? ' dashed' : ''}" marker-end="url(#head)" d="M${points}"/>`
  const [[x1, y1], [x2, y2]] = path as readonly [Point, Point]
  const middle = labelAt ?? ([(x1 + x2) / 2, (y1 + y2) / 2 - 6] as const)
  return label === undefined ? line : `${line}\n${textAt(middle, label, 'label')}`
}

const textAt = ([x, y]: Point, text: string, kind?: string, anchor = 'middle'): string =>
  `<text${kind ? ` class="${kind}"` : ''} x="${x}" y="${y}" text-anchor="${anchor}">${escapeXml(text)}</text>`

const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, character => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]!)
