import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { drawImages } from './draw-images.ts'
import { type Frame, textOf } from './frame.ts'
import { recordSession, terminalSize } from './record-session.ts'

/** Parses an SVG strictly, and returns the text of its lines that stay until the end. */
const linesOf = (svg: string): string[] => {
  const parser = new SaxesParser()
  const lines: string[] = []
  let isKept = false
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name !== 'text') return
    isKept = attributes.class === 'row'
    if (isKept) lines.push('')
  })
  parser.on('text', text => {
    if (isKept) lines.push(`${lines.pop() ?? ''} ${text}`)
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'text') isKept = false
  })
  parser.write(svg).close()
  return lines.map(settled)
}

/** A line without what differs from run to run: numbers, identifiers and the spaces of columns. */
const settled = (line: string): string =>
  line
    .replace(/did:key:\S+/g, 'did')
    .replace(/[\d.]+/g, '0')
    .replace(/\s+/g, '')

const read = (path: string) => readFileSync(join(workspaceRoot, path), 'utf8')

test('the recorded session of the README is what the command line shows; else run: npx -y pnpm@12 images', async () => {
  const frames = await recordSession()
  const shown =
    frames
      .at(-1)
      ?.rows.map(textOf)
      .map(settled)
      .filter(line => line !== '') ?? []
  expect(shown.join('\n')).toContain('Allowit?')
  for (const [path, svg] of drawImages(frames, terminalSize.columns)) {
    expect(linesOf(svg), path).toEqual(linesOf(read(path)))
    if (path.includes('session')) expect(linesOf(read(path)).toSorted(), path).toEqual(shown.toSorted())
  }
})

const frame = (at: number, ...lines: string[]): Frame => ({ at, rows: lines.map(text => [{ text }]) })

test('a picture escapes what the terminal shows', () => {
  const images = drawImages([frame(0, 'a < b & "c"')], 20)
  expect(linesOf(images.get('docs/images/session-light.svg') ?? '')).toEqual(['a<b&"c"'])
})

test('a line that was replaced is hidden at the end', () => {
  const svg = drawImages([frame(0, '$ s'), frame(9, '$ sh')], 20).get('docs/images/session-dark.svg') ?? ''
  expect(linesOf(svg)).toEqual(['$sh'])
  expect(svg).toContain('class="row gone"')
})
