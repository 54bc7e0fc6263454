import { defineTool, type Tool } from '@sibyl/plugin'
import { z } from 'zod'
import type { CapabilityCatalog } from './capability-catalog.ts'
import type { TurnTools } from './turn-tools.ts'

const input = z.object({})

/** Up to so many capabilities are told in full. */
const inFull = 20

/** How long the summaries of more of them may be together, and one at least, in characters. */
const summariesRoom = 4_000
const shortestSummary = 40

/** The tool by which the agent learns what it could load. It takes no input. */
export const listCapabilitiesTool = (catalog: CapabilityCatalog, tools: TurnTools): Tool =>
  defineTool({
    description:
      'Lists the capabilities of this oracle: name, summary, mode (always or on-demand), whether it is loaded, tags, and ' +
      'in lacks the abilities that this caller does not hold, without which some or all of its tools cannot be called. ' +
      'Call it when no tool you have fits the request.',
    input,
    effect: 'read',
    async execute() {
      const entries = catalog.entries()
      const isLong = entries.length > inFull
      const room = Math.max(shortestSummary, Math.floor(summariesRoom / entries.length))
      return {
        capabilities: entries.map(entry => {
          const state = entry.state()
          const lacks = tools.lacking(entry.fixedTools)
          return {
            name: entry.name,
            summary: isLong ? shortened(entry.manifest.summary, room) : entry.manifest.summary,
            mode: entry.mode,
            loaded: tools.has(entry.name),
            ...(isLong ? {} : { tags: entry.manifest.tags ?? [] }),
            ...(state === 'ready' ? {} : { state }),
            ...(lacks.length > 0 ? { lacks } : {}),
          }
        }),
      }
    },
  }) as Tool

/** The beginning of a text, whole words of it, where it is longer than there is room for. */
const shortened = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, room).replace(/\s+\S*$/, '')}…`
