/** What differs from run to run, and what stands for it. */
const varying: readonly [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\b\d+(\.\d+)? (ms|s)\b/g, '<duration>'],
  [/\b\d+ tokens\b/g, '<number> tokens'],
  [/\b\d+\.\d+ credits\b/g, '<number> credits'],
  [/"uptime":\s?[\d.]+/g, '"uptime": <number>'],
  [/did:key:z6Mk\w*(…\w+)?/g, '<did>'],
  [/(turn|msg|session|approval|req)_[\w-]{8,}/g, '<$1>'],
  [/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<uuid>'],
  [/\bf[a-z\d]{11}, \d{4}-\d\d-\d\d/g, '<fact>'],
  [/(?<=Remembered as )f[a-z\d]{11}\b/g, '<fact>'],
  [/(?<= bytes, )\d{4}-\d\d-\d\d\b/g, '<day>'],
  [/sibyl chat --url http:\/\/localhost:[34]000/g, 'sibyl chat'],
  [/\s+/g, ' '],
]

/** A line without what differs from run to run. */
const settled = (line: string): string =>
  varying.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line).trim()

/**
 * Compares what a page shows with what came. A line `…` of the page stands for any lines, a `…` at the end of a line for
 * its rest.
 *
 * @returns undefined when they agree, else the first shown line that did not come, and what came
 */
export const outputViolation = (shown: readonly string[], came: string): string | undefined => {
  const lines = came
    .split('\n')
    .map(settled)
    .filter(line => line !== '')
  let position = 0
  let skips = false
  for (const line of shown.map(settled).filter(line => line !== '')) {
    if (line === '…') {
      skips = true
      continue
    }
    const agrees = (other: string | undefined) =>
      line.endsWith('…') ? other?.startsWith(line.slice(0, -1)) : other === line
    const found = skips ? lines.findIndex((other, index) => index >= position && agrees(other)) : position
    if (!agrees(lines[found])) return `The page shows ${JSON.stringify(line)}, and this came:\n${came}`
    position = found + 1
    skips = false
  }
  return skips || position === lines.length ? undefined : `More came than the page shows:\n${came}`
}
