import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { architecture } from './architecture.ts'
import { concepts } from './concepts.ts'
import { renderDiagram } from './render-diagram.ts'
import { trust } from './trust.ts'
import { turn } from './turn.ts'

export const checkout = join(import.meta.dirname, '../../..')

/** Returns the pictures of the docs as SVG, by their paths in the checkout. */
export const diagrams = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries({ architecture, concepts, trust, turn }).map(([name, diagram]) => [
      `docs/guide/images/${name}.svg`,
      renderDiagram(diagram),
    ]),
  )

/** Writes the pictures of the docs; returns their paths. */
export const drawDiagrams = (): string[] =>
  [...diagrams()].map(([path, svg]) => {
    mkdirSync(dirname(join(checkout, path)), { recursive: true })
    writeFileSync(join(checkout, path), svg)
    return path
  })
