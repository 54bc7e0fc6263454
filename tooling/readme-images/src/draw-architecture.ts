import { escapeXml, type Theme } from './theme.ts'

const channels = ['Browser · useChat', 'Command line', 'USSD · any phone', 'SMS', 'Matrix', 'HTTP API']
const steps: readonly (readonly [string, string])[] = [
  ['Identity', 'DID · signed requests · UCAN'],
  ['Agent', 'finds and loads plugins in the turn'],
  ['Gate', 'code decides which tool may run'],
  ['Durable storage', 'SQLite or PostgreSQL'],
]
const plugins = [
  'Digital twins',
  'Claims · credentials',
  'Files · tasks · memory',
  'MCP servers',
  'Code sandbox',
  'Your plugin',
]

const size = { width: 860, height: 320 }
const box = { height: 34, gap: 12, width: 190 }

/** Draws how an oracle is assembled: channels, what each request passes through, plugins. */
export const drawArchitecture = (theme: Theme): string => {
  const title = 'Channels send signed requests to an oracle, whose agent calls plugins through a gate'
  const right = size.width - box.width - 16
  const center = { x: 270, width: size.width - 540 }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${title}">
<title>${title}</title>
<style>
text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: ${theme.text}; text-anchor: middle }
.small { font-size: 12px; fill: ${theme.dim} }
.name { font-weight: 600 }
.box { fill: ${theme.background}; stroke: ${theme.border} }
.oracle { fill: none; stroke: ${theme.accent}; stroke-width: 1.5 }
.line { fill: none; stroke: ${theme.dim}; stroke-width: 1.2 }
</style>
${label(16 + box.width / 2, 'Channels')}
${label(size.width / 2, 'Oracle')}
${label(right + box.width / 2, 'Plugins')}
${channels.map((name, index) => drawBox(16, index, name)).join('\n')}
${plugins.map((name, index) => drawBox(right, index, name)).join('\n')}
<rect class="oracle" x="${center.x}" y="36" width="${center.width}" height="${channels.length * (box.height + box.gap) - box.gap + 8}" rx="10"/>
${steps.map(([name, about], index) => drawStep(center.x, center.width, index, name, about)).join('\n')}
${channels.map((_, index) => drawLine(16 + box.width, center.x, index)).join('\n')}
${plugins.map((_, index) => drawLine(center.x + center.width, right, index)).join('\n')}
</svg>
`
}

const label = (x: number, text: string): string => `<text class="name" x="${x}" y="24">${text}</text>`

const top = (index: number): number => 40 + index * (box.height + box.gap)

const drawBox = (x: number, index: number, name: string): string =>
  `<rect class="box" x="${x}" y="${top(index)}" width="${box.width}" height="${box.height}" rx="6"/><text x="${x + box.width / 2}" y="${top(index) + 22}">${escapeXml(name)}</text>`

const drawStep = (x: number, width: number, index: number, name: string, about: string): string => {
  const y = 50 + index * 64
  const middle = x + width / 2
  return `<rect class="box" x="${x + 20}" y="${y}" width="${width - 40}" height="52" rx="6"/><text class="name" x="${middle}" y="${y + 22}">${escapeXml(name)}</text><text class="small" x="${middle}" y="${y + 41}">${escapeXml(about)}</text>`
}

const drawLine = (from: number, to: number, index: number): string => {
  const y = top(index) + box.height / 2
  return `<path class="line" d="M${from} ${y}H${to}"/>`
}
