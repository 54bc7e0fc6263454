import { z } from 'zod'
import { defineTool, type Tool } from '../plugins/tool.ts'
import type { CapabilityCatalog } from './capability-catalog.ts'
import type { TurnTools } from './turn-tools.ts'

const input = z.object({})

/** The tool by which the agent learns what it could load. It takes no input. */
export const listCapabilitiesTool = (catalog: CapabilityCatalog, tools: TurnTools): Tool =>
  defineTool({
    description:
      'Lists the capabilities of this oracle: name, summary, mode (always or on-demand), whether it is loaded, tags. ' +
      'Call it when no tool you have fits the request.',
    input,
    effect: 'read',
    async execute() {
      return {
        capabilities: catalog.entries().map(entry => ({
          name: entry.name,
          summary: entry.manifest.summary,
          mode: entry.mode,
          loaded: tools.has(entry.name),
          tags: entry.manifest.tags ?? [],
          ...(entry.state() === 'ready' ? {} : { state: entry.state() }),
        })),
      }
    },
  }) as Tool
