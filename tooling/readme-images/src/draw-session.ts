import type { Row, Run } from './frame.ts'
import { escapeXml, type Theme } from './theme.ts'
import type { Playback, VisibleRow } from './visible-rows.ts'

const cell = { width: 8.4, height: 19, font: 14 }
const margin = { side: 18, top: 44, bottom: 16 }

/**
 * Draws a playback as an SVG that plays in a loop. Without animation, as readers who prefer reduced motion see it, the
 * picture is the end of the session.
 */
export const drawSession = ({ rows, duration }: Playback, columns: number, theme: Theme, title: string): string => {
  const lines = Math.max(...rows.map(({ line }) => line)) + 1
  const width = Math.ceil(columns * cell.width + 2 * margin.side)
  const height = lines * cell.height + margin.top + margin.bottom
  const name = escapeXml(title)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}">
<title>${name}</title>
<style>
text { font: ${cell.font}px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; white-space: pre; fill: ${theme.text} }
.bold { font-weight: 600 }
.dim { fill: ${theme.dim} }
${theme.palette.map((color, index) => `.c${index} { fill: ${color} }`).join('\n')}
.gone { visibility: hidden }
@media (prefers-reduced-motion: no-preference) {
.row { visibility: hidden; animation: ${duration}ms step-end infinite }
${rows.map((row, index) => keyframes(row, index, duration)).join('\n')}
}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${theme.background}" stroke="${theme.border}"/>
${[1, 3, 2].map((color, index) => `<circle cx="${22 + index * 20}" cy="20" r="6" fill="${theme.palette[color]}"/>`).join('')}
${rows.map((row, index) => drawRow(row, index)).join('\n')}
</svg>
`
}

const keyframes = ({ from, to }: VisibleRow, index: number, duration: number): string => {
  const at = (time: number) => `${((time / duration) * 100).toFixed(3)}%`
  const end = to === undefined ? '' : `${at(to)} { visibility: hidden }`
  return `#r${index} { animation-name: k${index} } @keyframes k${index} { 0% { visibility: hidden } ${at(from)} { visibility: visible } ${end} }`
}

const drawRow = ({ row, line, to }: VisibleRow, index: number): string => {
  const y = margin.top + line * cell.height + cell.font
  const kind = to === undefined ? 'row' : 'row gone'
  return `<text id="r${index}" class="${kind}" y="${y}">${drawRuns(row)}</text>`
}

const drawRuns = (row: Row): string => {
  let column = 0
  return row
    .map(run => {
      const x = (margin.side + column * cell.width).toFixed(1)
      column += run.text.length
      const text = run.text.trimEnd()
      if (text === '') return ''
      const length = (text.length * cell.width).toFixed(1)
      const style = classOf(run)
      return `<tspan x="${x}" textLength="${length}"${style}>${escapeXml(text)}</tspan>`
    })
    .join('')
}

const classOf = ({ color, bold, dim }: Run): string => {
  const names = [
    ...(color === undefined ? [] : [`c${color % 8}`]),
    ...(bold ? ['bold'] : []),
    ...(dim && color === undefined ? ['dim'] : []),
  ]
  return names.length === 0 ? '' : ` class="${names.join(' ')}"`
}
