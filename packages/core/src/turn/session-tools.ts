import type { Turn } from '@sibyl/plugin'
import type { SessionTools, Turns } from '@sibyl/plugin/host'
import type { JsonObject } from '@sibyl/protocol'
import { coreToolNames } from '../plugins/check-tools.ts'
import { coreTools } from '../tools/core-tools.ts'
import { TurnTools } from '../tools/turn-tools.ts'
import type { ClaimDependencies } from './claim/local-turns.ts'

/** The time in which plugins list their tools, in milliseconds. */
const listLimitMs = 10_000

/** Returns what a turn of the actor in a session could call, by the same gate; no turn takes place. */
export const sessionTools = async (
  { actor, session: id, channel, tool: named }: Parameters<Turns['tools']>[0],
  { catalog, sessions, log }: Pick<ClaimDependencies, 'catalog' | 'sessions' | 'log'>,
): Promise<SessionTools> => {
  const session = await sessions.find(actor.did, id)
  const turn: Turn = {
    id: 'turn_listing',
    actor,
    text: '',
    signal: AbortSignal.timeout(listLimitMs),
    session: { id, loadedPlugins: session?.loadedPlugins ?? [] },
    channel,
  }
  const unused = async () => {}
  const tools = await (named === undefined || coreToolNames.has(named)
    ? TurnTools.gather(catalog, turn, own => coreTools(catalog, own, unused, () => {}), {}, log)
    : TurnTools.gatherNamed(catalog, turn, [named], log))
  const listed = tools.offered().filter(({ name }) => named === undefined || name === named)
  const capabilities = new Set(listed.map(({ origin }) => origin.capability))
  const entries = catalog.entries().filter(({ name }) => named === undefined || capabilities.has(name))
  return {
    tools: listed.map(({ name, tool, origin }) => {
      const outputSchema = catalog.outputSchema(tool) as JsonObject | undefined
      return {
        name,
        capability: origin.capability,
        description: tool.description,
        inputSchema: catalog.inputSchema(tool) as JsonObject,
        outputSchema,
        effect: tool.effect,
      }
    }),
    capabilities: entries.map(({ name, mode, manifest: { title, summary, examples = [] } }) => ({
      name,
      title,
      summary,
      load: mode,
      isLoaded: tools.has(name),
      examples: examples.map(({ user, tool }) => ({ user, tool })),
    })),
  }
}
